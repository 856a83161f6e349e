/** The ends of a synchronisation: ignored files, and the effects of an end that is broken, silent or hostile. */
import { type Mutant, mutantsOf } from './mutant.ts'

const rules = ['unit/sync/rules']
const silence = ['unit/sync/silent']

export const syncEnds: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/ignore/sync-rules.ts', rules, [
    ['if (isGit && !isIgnored && !isGitOn(rule)) return', 'if (false) return'],
    ['rule?.isNegated === true && /(?:^!', 'rule?.isNegated === true || /(?:^!'],
    ["const ignoreFiles = ['.devtoolignore', '.stignore']", "const ignoreFiles = ['.stignore', '.devtoolignore']"],
    ["decides: isSt ? 'First' : 'Last', rules", "decides: 'Last', rules"],
    ["decides === 'First' ? index : rules.length - 1 - index", 'index'],
    ['const defaults = file === undefined ? dependencyFolders : []', 'const defaults = dependencyFolders'],
    ['if (others.has(path)) return', 'if (false) return'],
    ['const found = isFolderIgnored(folderOf(folder)) || decisionAt', 'const found = decisionAt'],
    ['    isFolder ? isFolderIgnored(path) : isFolderIgnored(folderOf(path)) || ', '    '],
    ["path === '..' || path.startsWith('../') ? undefined : path", "path === '' ? undefined : path"],
    ['path === undefined || reading.texts.has(path) ? undefined', 'path === undefined ? undefined'],
    ["path.split('/').some(isGitName) ? 'push' : mode", "isGitName(path) ? 'push' : mode"],
    ['[...reading.texts, [othersFile, JSON.stringify(others)]]', '[...reading.texts]'],
    ['(isFolder || !rule.isForFolders) && fitsSteps', 'fitsSteps'],
    ['rule.isFolded ? own.toLowerCase() : own', 'own'],
  ]),
  ...mutantsOf('domain/ignore/stignore.ts', rules, [
    ["top.endsWith('/') ? [`${top}**`] : [top, `${top}/**`]", '[top]'],
    ['isRooted ? [path] : [path, `**/${path}`]', '[path]'],
  ]),
  ...mutantsOf('adapters/sync/remote-tree.ts', silence, [
    ["if ([...waiting.values()].some(isOver)) lose('it does not answer')", ''],
    ['isLong ? Math.max(since, heardAt) : since', 'since'],
  ]),
  ...mutantsOf('adapters/sync/serve-tree.ts', silence, [['if (unanswered.size > 0) void answer({})', '']]),
  ...mutantsOf('adapters/sync/heard.ts', silence, [
    ['        check(comingBytes)\n', ''],
    ['        check(knownBytes)\n', ''],
    ['bytes - (known.get(folder) ?? 0)', 'bytes'],
  ]),
  ...mutantsOf(
    'adapters/sync/messages.ts',
    ['contract/tree', 'properties/sync-hostile'],
    [
      ["textUpTo(4096, (path) => path === '' || isPath(path))", 'textUpTo(4096)'],
      ['textUpTo(255, isName)', 'textUpTo(255)'],
    ],
  ),
  ...mutantsOf(
    'adapters/sync/root.ts',
    ['unit/sync/root'],
    [
      ['(claimed !== undefined && claimed !== boot)', 'false'],
      ['known !== id || ', ''],
    ],
  ),
  ...mutantsOf(
    'adapters/sync/disk-tree.ts',
    ['unit/sync/disk-tree'],
    [['      // The folder may have been replaced meanwhile.\n      checkRoot()\n', '']],
  ),
  ...mutantsOf(
    'app/sync/synchronise.ts',
    ['properties/sync-gate'],
    [["      feed({ _tag: 'LinkLost', unsent: [...unsent] })\n", '']],
  ),
]
