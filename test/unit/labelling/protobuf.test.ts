/** The bytes are what Kubernetes 1.34 answers for a ConfigMap and, shortened to what is read, a Job `--from` a CronJob. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readProtobufMade } from '../../../src/domain/labelling/protobuf.ts'

const configMap = Buffer.from(
  '6b3873000a0f0a0276311209436f6e6669674d617012b7010aac010a0d70726f746f2d6669787475726512001a0a636f6d6d616e64732d6122002a2463613930616532302d383562652d343661642d386636612d3262376163373431386535313204353532323800420808e1cf84d80610008a01520a0e6b75626563746c2d63726561746512065570646174651a027631220808e1cf84d806100032084669656c647356313a1e0a1c7b22663a64617461223a7b222e223a7b7d2c22663a6b223a7b7d7d7d420012060a016b1201761a002200',
  'hex',
)

const job = Buffer.from(
  '6b3873000a0f0a0862617463682f763112034a6f6212740a720a046f6e63652a2439306334616462372d346462332d343162362d383335652d3961613235643538626533306a440a0743726f6e4a6f621a076e696768746c79222430653666346439312d633933662d343933662d613431652d3630643039386665336238352a0862617463682f76313001',
  'hex',
)

test('name, uid and kind are read', () => {
  const uid = 'ca90ae20-85be-46ad-8f6a-2b7ac7418e51'
  assert.equal(readProtobufMade(configMap), { kind: 'ConfigMap', name: 'proto-fixture', uid, isControlled: false })
})

test('an owning controller is read', () => {
  const uid = '90c4adb7-4db3-41b6-835e-9aa25d58be30'
  assert.equal(readProtobufMade(job), { kind: 'Job', name: 'once', uid, isControlled: true })
})

test('reading ends for any bytes', () => {
  assert.is(readProtobufMade(Buffer.from('{"kind":"ConfigMap"}')), undefined)
  assert.is(readProtobufMade(Buffer.alloc(0)), undefined)
  fc.assert(
    fc.property(fc.nat(configMap.length - 1), fc.uint8Array({ maxLength: 40 }), (at, noise) => {
      readProtobufMade(Buffer.concat([configMap.subarray(0, at), noise]))
      assert.ok(readProtobufMade(configMap.subarray(0, at)) === undefined || at > 20)
    }),
  )
})

test.run()
