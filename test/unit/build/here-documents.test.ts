/** Here-documents of a Dockerfile hold text of any kind, which may look like instructions. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { stagesIn } from '../../../src/domain/build/dockerfile-text.ts'
import { exposedBy, imagesNamedIn } from '../../../src/domain/compose/read/dockerfile.ts'
import { source } from '../../../src/domain/text/source.ts'

const lines = [
  'FROM alpine AS base',
  'EXPOSE 80',
  'RUN <<EOF',
  'psql -c "SELECT a',
  'FROM users AS x',
  '"',
  'EXPOSE 1',
  'EOF',
  'RUN <<-"ONE" cat > /a && <<TWO \\',
  '  cat > /b',
  'EXPOSE 2',
  '\tONE',
  'EXPOSE 3',
  'TWO',
  'COPY <<index.html /srv/',
  'FROM html AS y',
  'index.html',
  'FROM base',
  'RUN cat <<< EOF && a << 2',
  'EXPOSE 443',
]

for (const end of ['\n', '\r\n']) {
  const text = lines.join(end)
  test(`they are no instructions: ${JSON.stringify(end)}`, () => {
    const exposed = exposedBy(source('Dockerfile', '.', text))
    assert.equal(
      exposed.map(({ at, target }) => [target, at.source.text.slice(at.start, at.end)]),
      [
        [443, 'EXPOSE 443'],
        [80, 'EXPOSE 80'],
      ],
    )
    assert.equal(imagesNamedIn(text), ['alpine'])
    assert.equal(stagesIn(text), ['base'])
  })
}

test.run()
