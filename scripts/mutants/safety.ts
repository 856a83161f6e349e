/** Safety: objects of others are not touched, and nothing is lost. */
import { type Mutant, mutantsOf } from './mutant.ts'

const lock = ['unit/environment/lock', 'properties/lease']
const reconcile = ['unit/deploy/reconcile', 'unit/deploy/run', 'unit/deploy/apply', 'unit/deploy/delete']
const prune = ['unit/deploy/prune', 'unit/deploy/reconcile', 'unit/deploy/run']
const destroy = ['unit/destroy/destroy', 'unit/destroy/elsewhere', 'properties/destroy']
const home = ['unit/node-fs/writing', 'contract/home']

export const safety: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/environment/lease.ts', lock, [
    ['if (holder === claim.holder) return holdFrom(live, sentMs, atMs)', ''],
    ['if (isAlive && atMs - beganMs >= claim.waitsMs)', 'if (isAlive && false)'],
    ['event.live !== undefined && holderOf(event.live) === holder)\n', 'event.live !== undefined)\n'],
    ['event.live !== undefined && holderOf(event.live) === holder && !isLast', 'event.live !== undefined && !isLast'],
    ['isChanged(event.failure) ? { state, command: look }', 'false ? { state, command: look }'],
  ]),
  ...mutantsOf('app/environment/lock.ts', lock, [
    ['resourceVersion: live.metadata.resourceVersion, uid: live.metadata.uid', 'uid: live.metadata.uid'],
    ['      stopped.abort()\n', ''],
  ]),
  ...mutantsOf(
    'domain/environment/inventory.ts',
    ['unit/environment/inventory'],
    [
      [' || kept.has(keyOf(entry))', ''],
      [' || !old.has(entry.uid)', ''],
      ['entry.namespace === undefined ? observed.get(entry.kind) : undefined', 'observed.get(entry.kind)'],
      ['seen === undefined || ', 'seen !== undefined && '],
    ],
  ),
  ...mutantsOf(
    'app/environment/namespace-objects.ts',
    ['unit/deploy/run'],
    [['!isMetadataOnly(kind) || !contents.has(kind)', 'true']],
  ),
  ...mutantsOf('domain/plan/prune.ts', prune, [
    ['isTranslated(live, plan.environment) && !wanted', '!wanted'],
    [' && !isKept(live) && !isForSwitchedOff(live)', ' && !isForSwitchedOff(live)'],
    [' && !isForSwitchedOff(live)\n', '\n'],
    ["'ConfigMap', 'Secret'] as const", "'ConfigMap', 'Secret', 'PersistentVolumeClaim'] as const"],
    ['service === undefined ? switchedOff.size > 0', 'service === undefined ? false'],
  ]),
  ...mutantsOf('domain/plan/ownership.ts', prune, [
    ['labelOf(live, ENVIRONMENT_LABEL) === environment &&\n', 'true &&\n'],
    ["labelOf(live, MANAGED_BY_LABEL) === 'devtool' &&", 'true &&'],
    ['labelOf(live, KIND_LABEL) === undefined', 'true'],
    ['live === undefined || labelOf(live, ENVIRONMENT_LABEL) === environment) return []', 'true) return []'],
  ]),
  ...mutantsOf('domain/plan/bind.ts', reconcile, [
    ['existing(live),\n})\n\nexport', "{ _tag: 'Absent' },\n})\n\nexport"],
  ]),
  ...mutantsOf('domain/destroy/plan.ts', destroy, [
    [' || uids.has(live.metadata.uid)', ''],
    ["return annotationOf(live, HELM_POLICY) === 'keep' ?", 'return false ?'],
    ['isClaim(found) && !withVolumes', 'false'],
    ["if (isRuleOfNamespace(found)) return 'a rule of the namespace'", ''],
  ]),
  ...mutantsOf('domain/destroy/stage.ts', destroy, [
    ["stage === 'Workloads' && plural !== 'pods' ? 'Foreground'", "false ? 'Foreground'"],
  ]),
  ...mutantsOf(
    'adapters/kube/write.ts',
    ['unit/kube/write'],
    [
      ['          preconditions: defined({ uid, resourceVersion }),\n', ''],
      ['uid !== undefined && resourceVersion === undefined', 'true'],
      ['isDryRun === true || (namesUid(named) && !namesVersion(named))', 'true'],
      ["dryRun: isDryRun === true ? 'All' : undefined", 'dryRun: undefined'],
      ['failure.status === 404 ? TE.right', 'false ? TE.right'],
    ],
  ),
  ...mutantsOf('adapters/node-fs/home-lock.ts', home, [
    ['if (textOf(file) === token) rmSync', 'rmSync'],
    ['      if (isMine()) rmSync', '      rmSync'],
    ["openSync(file, 'wx', 0o600)", "openSync(file, 'w', 0o600)"],
    ['secondsOld(guard, clock) > 60', 'false'],
    ['if (nowMs - beganMs > waitMs) return', 'if (false) return'],
  ]),
  ...mutantsOf(
    'adapters/node-fs/home-lock.ts',
    ['contract/plain-folders'],
    [
      [': 6 * touchMs', ': 60 * touchMs'],
      ['writeSync(fd, token, 0)', ''],
      ['Running: Number.POSITIVE_INFINITY', 'Running: 0'],
    ],
  ),
  ...mutantsOf(
    'adapters/node-fs/lock-holder.ts',
    ['contract/plain-folders'],
    [
      ['host !== hostname() || ', ''],
      ['its.startsWith(`${run}-`)', 'true'],
      ["if (place !== '' && place !== ownPlace()) return 'Unknown'", ''],
    ],
  ),
  ...mutantsOf('adapters/node-fs/home-write.ts', home, [
    ['if (!mayReplace()) return false', ''],
    ['    rmSync(temporary, { force: true })\n', ''],
  ]),
  ...mutantsOf(
    'adapters/node-fs/writer.ts',
    ['unit/node-fs/writing'],
    [
      ['fchmodSync(fd, old.mode & 0o777)', 'undefined'],
      ['    rmSync(temporary, { force: true })\n', ''],
      ['return realpathSync(path)', 'return path'],
      ['!old.isFile()', 'false'],
    ],
  ),
  ...mutantsOf(
    'app/build/images.ts',
    ['unit/app-build/bad-days'],
    [[" || done.left._tag !== 'Lost' || isTold", " || done.left._tag !== 'Lost'"]],
  ),
]
