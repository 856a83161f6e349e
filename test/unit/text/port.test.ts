import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isIp } from '../../../src/domain/text/ip.ts'
import { type PortRange, readPort } from '../../../src/domain/text/port.ts'

type Ends = readonly [number, number]
const tcp = (target: Ends, published?: Ends, hostIp?: string): PortRange => ({
  ...(hostIp === undefined ? {} : { hostIp }),
  ...(published === undefined ? {} : { published }),
  target,
  protocol: 'TCP',
})

const GOOD: ReadonlyArray<readonly [string, PortRange]> = [
  ['80', tcp([80, 80])],
  ['3000-3005', tcp([3000, 3005])],
  ['8080:80', tcp([80, 80], [8080, 8080])],
  ['9090-9091:8080-8081', tcp([8080, 8081], [9090, 9091])],
  ['80-90:8080', tcp([8080, 8080], [80, 90])],
  ['022:22', tcp([22, 22], [22, 22])],
  ['22:022', tcp([22, 22], [22, 22])],
  [':80', tcp([80, 80])],
  ['::80', tcp([80, 80])],
  [':443:80', tcp([80, 80], [443, 443])],
  ['0:80', tcp([80, 80], [0, 0])],
  ['127.0.0.1:8001:8001', tcp([8001, 8001], [8001, 8001], '127.0.0.1')],
  ['127.0.0.1::80', tcp([80, 80], undefined, '127.0.0.1')],
  ['0.0.0.0:5000-5010:5000-5010', tcp([5000, 5010], [5000, 5010], '0.0.0.0')],
  ['[::1]:8080:80', tcp([80, 80], [8080, 8080], '::1')],
  ['[::]::80', tcp([80, 80], undefined, '::')],
  ['[2001:db8::1.2.3.4]:1-2:3-4', tcp([3, 4], [1, 2], '2001:db8::1.2.3.4')],
  ['53:53/udp', { ...tcp([53, 53], [53, 53]), protocol: 'UDP' }],
  ['53/TCP', tcp([53, 53])],
  ['132/sctp', { ...tcp([132, 132]), protocol: 'SCTP' }],
  ['65535', tcp([65_535, 65_535])],
]

for (const [text, port] of GOOD) {
  test(`port "${text}" is read`, () => {
    assert.equal(readPort(text), E.right(port))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['', 'the port is empty', 0, 0],
  ['http', '"http" is not a port', 0, 4],
  ['80:', 'the container port is missing', 3, 3],
  ['/tcp', 'the container port is missing', 0, 0],
  ['0', 'port "0" is not between 1 and 65535', 0, 1],
  ['80:65536', 'port "65536" is not between 1 and 65535', 3, 8],
  ['65536:80', 'port "65536" is not between 0 and 65535', 0, 5],
  ['90-80:80', 'the range "90-80" ends before it starts', 0, 5],
  ['80-:80', '"80-" is not a port', 0, 3],
  ['80-81-82', '"80-81-82" is not a port', 0, 8],
  ['-80', '"-80" is not a port', 0, 3],
  ['80 : 80', '" 80" is not a port', 4, 7],
  ['80-82:90-91', '3 published and 2 container ports do not pair', 0, 11],
  ['80:90-91', '1 published and 2 container ports do not pair', 0, 8],
  ['80/http', 'unknown protocol "http"', 3, 7],
  ['80/', 'unknown protocol ""', 3, 3],
  ['80/tcp/udp', 'unknown protocol "tcp/udp"', 3, 10],
  ['127.0.0.1:80', '"127.0.0.1" is not a port', 0, 9],
  ['localhost:80:80', '"localhost" is not an IP address', 0, 9],
  ['127.0.0.256:80:80', '"127.0.0.256" is not an IP address', 0, 11],
  ['::1:80:80', 'too many colons: an IPv6 address is written in brackets', 0, 9],
  ['[::1:80:80', 'the bracket "[" is not closed', 0, 10],
  ['[::g]:80:80', '"::g" is not an IPv6 address', 1, 4],
  ['[127.0.0.1]:80:80', '"127.0.0.1" is not an IPv6 address', 1, 10],
  ['[::1]80:80', 'a colon is missing after the address', 4, 5],
  ['[::1]:80', 'an address is followed by two ports, of which the first may be empty', 0, 8],
  ['[::1]:1:2:3', 'too many colons: an IPv6 address is written in brackets', 0, 11],
]

for (const [text, message, start, end] of BAD) {
  test(`port "${text}" is refused: ${message}`, () => {
    assert.equal(readPort(text), E.left({ message, start, end }))
  })
}

test('addresses are judged as Go judges them', () => {
  const good = [
    '1.2.3.4',
    '::',
    '::1',
    '1::',
    'fe80::1',
    '1:2:3:4:5:6:7:8',
    '::ffff:1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5:6:7::',
  ]
  const bad = [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1.2.3.4::',
    '12345::',
    'fe80::1%eth0',
    ':1',
    '1:',
    '1:2:3:4:5:6:7::8',
  ]
  assert.equal(
    good.filter((text) => !isIp(text)),
    [],
  )
  assert.equal(bad.filter(isIp), [])
})

test.run()
