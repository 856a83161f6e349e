/** Back-pressure and limits: a slow reader slows down the writer, and too large an input is refused. */
import { type Mutant, mutantsOf } from './mutant.ts'

const tunnel = ['unit/buildkit/tunnel', 'unit/buildkit/tunnel-serve', 'unit/buildkit/pipe']

export const pressure: ReadonlyArray<Mutant> = [
  ...mutantsOf(
    'adapters/buildkit/rpc/inbox.ts',
    ['unit/buildkit/inbox', 'unit/buildkit/rpc'],
    [
      ['if (queuedBytes > limitBytes) stream.pause()', ''],
      ['if (stream.isPaused()) stream.resume()', ''],
      ['const limitBytes = 1024 * 1024', 'const limitBytes = 1024 * 1024 * 1024'],
    ],
  ),
  ...mutantsOf('adapters/buildkit/rpc/tunnel.ts', tunnel, [
    ['!pipe.push(part)) stream.pause()', '!pipe.push(part)) {}'],
    ['if (stream.writableLength <= aheadBytes) return done()', 'return done()'],
  ]),
  ...mutantsOf('adapters/buildkit/rpc/pipe.ts', tunnel, [
    ['if (!outer.push(part)) inner.pause()', 'outer.push(part)'],
    ['inner.destroyed || inner.write(chunk)', 'inner.destroyed || inner.write(chunk) || true'],
    ['whenReady(inner, isReady, done)', 'whenReady(inner, true, done)'],
    ["inner.on('end', () => outer.destroy())", ''],
  ]),
  ...mutantsOf(
    'adapters/buildkit/rpc/frames.ts',
    ['unit/buildkit/rpc'],
    [
      ['return length > limitBytes\n', 'return length > 2 ** 32\n'],
      ['if (prefix[at] !== 0) return', 'if (false) return'],
    ],
  ),
  ...mutantsOf(
    'adapters/websocket/link.ts',
    ['unit/kube/pod-streams'],
    [
      ['if (!take(bytesOf(data))) socket.pause()', 'take(bytesOf(data))'],
      ['socket.bufferedAmount > mostWaiting', 'false'],
      ['    resume: () => socket.resume(),', '    resume: () => {},'],
    ],
  ),
  ...mutantsOf(
    'adapters/kube/pods/exec.ts',
    ['unit/kube/exec-streams', 'unit/kube/pod-streams'],
    [
      ['if (!stream.destroyed && !stream.push(bytes)) full.add(stream)', 'if (!stream.destroyed) stream.push(bytes)'],
      ['if (link.protocol === canCloseStdin) return', 'return'],
      ["const protocols = [canCloseStdin, 'v4.channel.k8s.io']", 'const protocols = [canCloseStdin]'],
    ],
  ),
  ...mutantsOf(
    'adapters/kube/pods/tunnel.ts',
    ['unit/kube/pod-tunnels'],
    [
      ['if (full.delete(id) && full.size === 0) link.resume()', 'full.delete(id)'],
      ['isFit && !isOver && full.size === 0 && waitingWrites === 0', 'isFit && !isOver'],
    ],
  ),
  ...mutantsOf(
    'adapters/kube/pods/tunnels.ts',
    ['unit/kube/pod-tunnels'],
    [['one.users < mostStreams && one.isFree()', 'one.isFree()']],
  ),
  ...mutantsOf('adapters/websocket/connect.ts', ['unit/kube/pod-streams'], [['        socket.pause()\n', '']]),
  ...mutantsOf(
    'adapters/http/lines.ts',
    ['unit/kube/client'],
    [
      ['bytes.subarray(0, Math.max(room, 0))', 'bytes'],
      ['    isCut = false\n', ''],
    ],
  ),
  ...mutantsOf(
    'adapters/node-fs/files.ts',
    ['contract/files'],
    [
      ["stat.size > limitBytes ? { _tag: 'TooLarge' } : readAll", 'readAll'],
      ["      if (length > limitBytes) return { _tag: 'TooLarge' }\n      chunks", '      chunks'],
    ],
  ),
  ...mutantsOf(
    'app/concurrency/bounded.ts',
    ['unit/concurrency/bounded', 'unit/kube/client'],
    [['Math.min(atOnce, items.length)', 'items.length']],
  ),
  ...mutantsOf(
    'app/concurrency/graph.ts',
    ['unit/deploy/graph'],
    [
      ['isLimited(job) && limited >= atOnce', 'false'],
      ['if (isDone) {', 'if (true) {'],
    ],
  ),
  ...mutantsOf(
    'domain/logs/resume.ts',
    ['properties/logs', 'unit/logs/follow'],
    [
      ['count(again, time) <= (seen.get(time) ?? 0)', 'false'],
      ['moment.seconds < newest || ', ''],
      ['      isReplay = newest !== undefined\n', ''],
    ],
  ),
  ...mutantsOf(
    'domain/logs/reader.ts',
    ['unit/logs/reader'],
    [
      ['failures: failures + 1', 'failures'],
      ['failures >= mostFailures', 'false'],
      ['instances > 1', 'false'],
    ],
  ),
  ...mutantsOf(
    'app/logs/follow.ts',
    ['unit/logs/follow'],
    [
      ["isFirst ? 'Present' : 'Both'", "'Present'"],
      ['!container.hasLog || reading.has(key)', 'reading.has(key)'],
    ],
  ),
]
