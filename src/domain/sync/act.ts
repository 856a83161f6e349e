/** Changes to a synchronised folder. Each act states what it expects to find, and otherwise does nothing. */
import * as t from 'io-ts'
import { Reason, SeenEntry, TreeEntry, TreeFile, TreeLink } from './entry.ts'

/** `here`: this machine, where everything is decided. `there`: the development container. */
const SyncEnd = t.keyof({ here: null, there: null })
export type SyncEnd = t.TypeOf<typeof SyncEnd>

/** `push`: changes there are not taken over; `pull`: changes here are not. */
export const syncModes = ['two-way', 'push', 'pull'] as const

export type SyncMode = (typeof syncModes)[number]

/**
 * `expect`: the entry at the path, undefined for none; checked again right before it is replaced or removed. `keep`:
 * the name in the same folder under which the current entry is kept first; the name must be free, and without the copy
 * nothing else is done.
 */
const act = <T extends string, E extends t.Mixed, M extends t.Props>(tag: T, expect: E, members: M) =>
  t.readonly(
    t.exact(
      t.intersection([
        t.type({ _tag: t.literal(tag), end: SyncEnd, path: t.string, expect, ...members }),
        t.partial({ keep: t.string }),
      ]),
    ),
  )

const replaceable = t.union([TreeFile, TreeLink, t.undefined])
const Write = act('Write', replaceable, { file: TreeFile })
const MakeLink = act('MakeLink', replaceable, { target: t.string })
const MakeFolder = act('MakeFolder', t.undefined, {})

/** An act that creates an entry where there is none. */
export const FillAct = t.union([Write, MakeLink, MakeFolder])
export type FillAct = t.TypeOf<typeof FillAct>

/**
 * Write: a file with the content of `file.hash`, which the other end has at the same path. Remove: for folders, only
 * empty ones.
 */
export const SyncAct = t.union([
  ...FillAct.types,
  act('Remove', TreeEntry, {}),
  act('SetExecutable', TreeFile, { isExecutable: t.boolean }),
])
export type SyncAct = t.TypeOf<typeof SyncAct>

/** NoSource: the other end no longer has the content. */
const KnownTrouble = t.keyof({
  NoSpace: null,
  ReadOnly: null,
  Forbidden: null,
  NameTooLong: null,
  KeptNameTaken: null,
  NoSource: null,
  Other: null,
})
export type ActTrouble = t.TypeOf<typeof KnownTrouble>

/** The other end may be of another version. */
const ActTrouble = new t.Type<ActTrouble>(
  'a trouble',
  KnownTrouble.is,
  (input) => t.success(KnownTrouble.is(input) ? input : 'Other'),
  t.identity,
)

/**
 * Done: `entry` is now at the path. Refused: `found` was there instead of the expected entry, and nothing was changed.
 * Lost: the link broke, so it is unknown whether it was done; `ticket` is for asking over the next link.
 */
export const ActOutcome = t.union([
  t.readonly(t.strict({ _tag: t.literal('Done'), entry: t.union([TreeEntry, t.undefined]) })),
  t.readonly(t.strict({ _tag: t.literal('Refused'), found: t.union([SeenEntry, t.undefined]) })),
  t.readonly(t.strict({ _tag: t.literal('Failed'), trouble: ActTrouble, reason: Reason })),
  t.readonly(
    t.exact(t.intersection([t.type({ _tag: t.literal('Lost'), reason: Reason }), t.partial({ ticket: t.string })])),
  ),
])
export type ActOutcome = t.TypeOf<typeof ActOutcome>
