/** Log lines about files: programs and scripts that cannot be run, and files that are missing or not writable. */
import { mountAt, sayHidden } from './hidden.ts'
import type { LogRule } from './log-rule.ts'

const SCRIPT = 'for a script: line ends without CR (LF, not CRLF), and a first line that names a program of the image'
export const C_LIBRARY = 'build it for the C library of the image (glibc or musl), or link it statically'
const PROGRAM = `for a program: ${C_LIBRARY}`
export const ANOTHER_INTERPRETER =
  'install it in the image, or let the first line of the script name another interpreter'
export const LF_LINES = 'save the script with LF line ends (`*.sh text eol=lf` in .gitattributes keeps them)'
const CRLF_HELP = `${LF_LINES}, and build the image again`

const programRules: ReadonlyArray<LogRule> = [
  [
    /\bexec format error/,
    () => ({
      code: 'DT3203',
      message: 'its program is built for an architecture other than that of the node',
      help: 'build the image for that platform as well, or choose other nodes with x-node-selector; a script needs a first line such as #!/bin/sh',
    }),
  ],
  [
    /^exec (\S{1,500}): no such file or directory/,
    ([, program = '']) => ({
      code: 'DT3217',
      message: `${program} is there, but its interpreter or C library is not`,
      help: `${SCRIPT}; ${PROGRAM}`,
      program,
    }),
  ],
  [
    /^(?:\/usr\/bin\/)?env: (?:can't execute )?['\u2018]?([^\s'\u2019:\\]{1,100})(\r|\\r)?(?: |['\u2019]|:)/,
    ([, program = '', cr]) =>
      cr === undefined
        ? {
            code: 'DT3217',
            message: `the program ${program}, which its first line asks for, is not in the image`,
            help: ANOTHER_INTERPRETER,
          }
        : { code: 'DT3217', message: 'the first line of its script ends in CRLF', help: CRLF_HELP },
  ],
  [
    /([^\s:]{1,200}?)(\^M|\r)?: bad interpreter/,
    ([, program = '', cr]) =>
      cr === undefined
        ? { code: 'DT3217', message: `the interpreter ${program} is not in the image`, help: SCRIPT }
        : { code: 'DT3217', message: 'the first line of its script ends in CRLF', help: CRLF_HELP },
  ],
  [
    /^(?:\/bin\/)?(?:ba|da|a)?sh: (?:line )?(?:\d+: )?([\w./+-]{1,200}): (?:command )?not found/,
    ([, program = '']) => ({
      code: 'DT3217',
      message: `the program ${program} is not in the image`,
      help: 'install it when the image is built, or correct the name in `command`',
    }),
  ],
  [
    /\$'\\r': command not found|Illegal option -\r/,
    () => ({ code: 'DT3217', message: 'the lines of its script end in CRLF', help: CRLF_HELP }),
  ],
  [
    /version [`'\u2018](GLIBC(?:XX)?_[\d.]+)['\u2019] not found/,
    ([, version = '']) => ({
      code: 'DT3217',
      message: `it is built for a newer C library (${version}) than that of the image`,
      help: 'build it in the image that it runs in, or take a newer base image',
    }),
  ],
  [
    /(?:Error loading shared library ([\w.+-]+)|error while loading shared libraries: ([\w.+-]+))/,
    ([, musl, glibc]) => ({
      code: 'DT3217',
      message: `the library ${musl ?? glibc} is not in the image`,
      help: `install it in the image; ${PROGRAM}`,
    }),
  ],
]

/** The place in a script, or the shell, that a message of a shell begins with. */
const SPEAKER = /^(?:\S{1,300}: (?:line )?\d{1,9}|(?:\/\S{0,300}\/)?(?:ba|da|a)?sh): /

/** The first absolute path of a line. */
const pathIn = (line: string): string | undefined => /\/[\w@+.-]+(?:\/[\w@+.-]+)*/.exec(line.replace(SPEAKER, ''))?.[0]

const accessRules: ReadonlyArray<LogRule> = [
  [
    /(?:chown|changing ownership of).{0,500}Operation not permitted/i,
    ({ input }) => ({
      message: `it may not change the owner of ${pathIn(input) ?? 'its files'}`,
      help: 'let it run as the user that owns the files (`user`), or as root with `cap_add: [CHOWN]` where the namespace allows that',
    }),
  ],
  [
    /read-only file system|EROFS/i,
    ({ input }) => {
      const path = pathIn(input)
      return {
        message: `${path ?? 'what it writes to'} is on a read-only file system`,
        help: `give it a place to write (\`tmpfs: [${path === undefined ? '/tmp' : folderOf(path)}]\` or a volume), or leave out read_only`,
      }
    },
  ],
  [
    /permission denied|EACCES/i,
    ({ input }, { mounts }) => {
      const path = pathIn(input)
      if (path === undefined) return undefined
      const mount = mountAt(mounts, path)
      if (mount?.isHeld === true) {
        return {
          message: `its user may not run, write or open ${path}, a file of ${mount.volume} (permission denied)`,
          help: 'mount it with the `mode` that it needs: 0444 to read it, 0555 to run it; nothing can write there',
        }
      }
      return {
        message: `its user may not write or open ${path} (permission denied)`,
        help: 'let it run as the user that owns the files (`user`), or change their owner or group in the image',
      }
    },
  ],
  [
    /no such file or directory|cannot find module|not found|can't open|ENOENT/i,
    ({ input }, { mounts }) => {
      const path = pathIn(input)
      const mount = path === undefined ? undefined : mountAt(mounts, path)
      return mount === undefined || path === mount.path || path === undefined
        ? undefined
        : { code: 'DT3217', ...sayHidden(mount, path) }
    },
  ],
]

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 1))

export const fileRules: ReadonlyArray<LogRule> = [...programRules, ...accessRules]
