#!/usr/bin/env node
/**
 * What npm links as `devtool`. `version` and help are answered at once; everything else is in app.cjs and in the files
 * beside it, which are loaded when they are needed. The compiled form of each is kept in the user's cache folder as
 * NAME-BUILD-V8-ARCH.bin: written at the end of the first run that used it and succeeded, or when what was there was
 * damaged or V8 did not accept it; read only if nobody else can have written it. A cache that is missing, foreign or
 * broken costs time and nothing else; DEVTOOL_NO_CODE_CACHE=1 switches it off.
 *
 * As a single executable it is the same program: the files are then inside of it, and so are the caches of those that
 * most runs use, if it was built where it can run.
 */
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const version = process.env.DEVTOOL_VERSION
/** What is inside of a single executable; undefined when the files are beside this one. */
const inside = process.env.DEVTOOL_SINGLE ? require('node:sea') : undefined

/** Undefined when there is no file of that name. */
const read = (name) => {
  if (inside === undefined) return fs.readFileSync(path.join(__dirname, name))
  return Buffer.from(inside.getRawAsset(name))
}

const readInside = (name) => {
  try {
    return inside && read(name)
  } catch {
    return undefined
  }
}
const args = process.argv.slice(2)

/**
 * Not process.stdout: making that stream takes longer than all the rest. Returns false when app.cjs has to print
 * instead.
 */
const say = (text) => {
  const bytes = Buffer.from(text)
  let at = 0
  try {
    while (at < bytes.length) at += fs.writeSync(1, bytes, at)
    // Ending at once saves Node tearing down the heap.
    process.exit()
  } catch (cause) {
    if (cause.code !== 'EAGAIN') return false
    // A pipe that does not block is full: the stream waits for its reader.
    process.stdout.on('error', () => {}).write(bytes.subarray(at))
  }
  return true
}

/** `help`, `help deploy`, `--help`, `deploy --help`. */
const helpTopic = () => {
  const isFlag = (text) => text === '--help' || text === '-h'
  if (args.length === 0) return ''
  if (args.length === 1) return args[0] === 'help' || isFlag(args[0]) ? '' : undefined
  if (args.length !== 2) return undefined
  if (args[0] === 'help') return args[1]
  return isFlag(args[1]) ? args[0] : undefined
}

const answer = () => {
  if (args.length === 1 && (args[0] === 'version' || args[0] === '--version')) return say(`${version}\n`)
  const topic = helpTopic()
  if (topic === undefined) return false
  try {
    const texts = JSON.parse(read('help.json').toString())
    return Object.hasOwn(texts, topic) && say(texts[topic])
  } catch {
    return false
  }
}

const cacheFolder = () => {
  const { DEVTOOL_NO_CODE_CACHE: off, LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (off) return undefined
  if (XDG_CACHE_HOME && path.isAbsolute(XDG_CACHE_HOME)) return path.join(XDG_CACHE_HOME, 'devtool')
  if (process.platform === 'win32') return LOCALAPPDATA && path.join(LOCALAPPDATA, 'devtool', 'cache')
  const { HOME } = process.env
  return HOME && path.isAbsolute(HOME) ? path.join(HOME, '.cache', 'devtool') : undefined
}

/**
 * V8 itself checks no more than the header: damaged code would crash every run. A file holds its code twice, since
 * comparing is faster than loading any checksum of Node. Undefined when the halves differ.
 */
const verified = (bytes) => {
  const code = bytes.subarray(0, bytes.length / 2)
  return code.length > 0 && code.equals(bytes.subarray(code.length)) ? code : undefined
}

/** Compiled code is code: it is taken only from a file that nobody else can have written. */
const readCache = (file) => {
  try {
    // Nobody may write to a pipe of that name. Windows has neither of the flags.
    const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = fs.constants
    const fd = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const stat = fs.fstatSync(fd)
      const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
      return stat.isFile() && isOurs ? verified(fs.readFileSync(fd)) : undefined
    } finally {
      fs.closeSync(fd)
    }
  } catch {
    return undefined
  }
}

/** Those of other versions go when they have not been touched for a month. */
const removeOld = (folder) => {
  const oldest = Date.now() - 30 * 24 * 3600 * 1000
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name)
    if (/-[0-9a-f]{16}-.+\.bin/.test(name) && fs.statSync(file).mtimeMs < oldest) fs.rmSync(file, { force: true })
  }
}

const writeCache = ({ file, script }) => {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    const code = script.createCachedData()
    fs.writeFileSync(temporary, Buffer.concat([code, code]), { flag: 'wx', mode: 0o600, flush: true })
    fs.renameSync(temporary, file)
  } catch {
    try {
      fs.rmSync(temporary, { force: true })
    } catch {}
  }
}

const writeCaches = (folder, fresh) => {
  try {
    // Not `recursive`, with which Node never ends where the system lets nobody make a folder: /proc, /home of autofs.
    for (const each of [path.dirname(folder), folder]) {
      if (!fs.existsSync(each)) fs.mkdirSync(each, { mode: 0o700 })
    }
    fresh.forEach(writeCache)
    removeOld(folder)
  } catch {}
}

/**
 * V8's usual flag, and ours. Every line of the app runs a few thousand times at most: V8 would spend a third of the time
 * for a large input on optimising code that is about to end, and let garbage pile up.
 */
const large = [
  // V8 11 is in Node 20, V8 12 in Node 22. Later ones have a compiler that takes less time.
  ...(process.versions.v8.startsWith('11.') ? [['--interrupt-budget=67584', '--interrupt-budget=1800000']] : []),
  ...(process.versions.v8.startsWith('12.')
    ? [['--invocation-count-for-turbofan=3000', '--invocation-count-for-turbofan=30000']]
    : []),
  ['--heap-growing-percent=0', '--heap-growing-percent=200'],
  // The content of files is outside the heap: V8 would mark the whole heap for every 64 MB of it that a build sends.
  ['--incremental-marking', '--no-incremental-marking'],
  // Touching memory for the first time costs more than moving what is still used out of little of it.
  ['--semi-space-growth-factor=2', '--semi-space-growth-factor=1'],
  // Code that runs often is compiled at once, without waiting until there is enough for a batch.
  ['--baseline-batch-compilation', '--no-baseline-batch-compilation'],
]
/** Else V8 drops the code that only ran at the start of a long run, and a cache made at its end lacks that. */
const keeping = [['--flush-bytecode', '--no-flush-bytecode']]

const changed = new Set()
let isUsual = false

const setFlags = (side) => {
  const { setFlagsFromString } = require('node:v8')
  for (const flags of changed) for (const flag of flags) setFlagsFromString(flag[side])
}

const change = (flags) => {
  if (changed.has(flags)) return
  changed.add(flags)
  if (!isUsual) setFlags(1)
}

/** Code caches are valid for the flags they were made with, and those inside Node for the usual flags. */
const withUsualFlags = (run) => {
  if (changed.size === 0 || isUsual) return run()
  isUsual = true
  setFlags(0)
  try {
    return run()
  } finally {
    isUsual = false
    setFlags(1)
  }
}

/**
 * A cache holds the functions that its first run used, so that of project.cjs is left to commands which use much of it. Of
 * these `build` and `up` use other parts than the rest and have their own. The other files are all used in much the same
 * way.
 */
const keptName = (name) => (name === 'project' && ['build', 'up'].includes(args[0]) ? `project-${args[0]}` : name)
const isWorth = (name) => name !== 'project' || ['build', 'deploy', 'up', 'validate'].includes(args[0])

/** Whether the run used what such a run uses. Some commands usually last until they are interrupted. */
const isWhole = (status) => status === 0 || (status > 128 && ['exec', 'forward', 'logs', 'up'].includes(args[0]))

/** Files that are sent elsewhere or that others read have to be on a disk. They are there until this run ends. */
const unpack = () => {
  const folder = fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'devtool-'))
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }))
  for (const name of JSON.parse(read('files.json').toString())) {
    fs.mkdirSync(path.join(folder, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), read(name))
  }
  return folder
}

let unpacked
const filesFolder = () => {
  if (inside === undefined) return __dirname
  unpacked ??= unpack()
  return unpacked
}

/** A `require` that loads the files beside this one with their caches and leaves the rest to Node. */
const cachingRequire = () => {
  const { Script } = require('node:vm')
  const folder = cacheFolder()
  const modules = new Map()
  const fresh = []

  const load = (name) => {
    const filename = path.join(__dirname, `${name}.cjs`)
    // The bundles are plain ASCII, which one byte a character reads fastest.
    const text = read(`${name}.cjs`).latin1Slice()
    const kept = keptName(name)
    const key = `${kept}-${process.env.DEVTOOL_BUILD_HASH}-${process.versions.v8}-${process.arch}.bin`
    const file = folder && path.join(folder, key)
    const cachedData = readInside(`${kept}.bin`) ?? (file && readCache(file))
    const parameters = 'exports, require, module, __filename, __dirname'
    const script = new Script(`(function (${parameters}) {${text}\n})`, { filename, cachedData })
    const isAccepted = cachedData !== undefined && !script.cachedDataRejected
    if (file && !isAccepted && isWorth(name)) {
      fresh.push({ file, script })
      change(keeping)
    }
    const module = {
      exports: {},
      get path() {
        return filesFolder()
      },
    }
    script.runInThisContext().call(module.exports, module.exports, requireOwn, module, filename, __dirname)
    return module
  }

  const requireOwn = (id) => {
    const name = /^\.\/([a-z-]+)\.cjs$/.exec(id)?.[1]
    if (name === undefined) return withUsualFlags(() => require(id))
    if (!modules.has(name)) modules.set(name, withUsualFlags(() => load(name)))
    return modules.get(name).exports
  }

  // Not before the end: a cache lacks the functions that are compiled after it was made.
  process.once('exit', (status) => {
    if (isWhole(status) && fresh.length > 0) withUsualFlags(() => writeCaches(folder, fresh))
  })
  return requireOwn
}

if (!answer()) {
  // Nothing is left to do or to write then. Ending at once saves Node tearing down the heap.
  process.once('beforeExit', () => process.exit())
  // A build computes about as much as the translation of a large input, and ends as soon; a short one is over by then.
  if (args[0] === 'build') setTimeout(() => change(large), 40).unref()
  void cachingRequire()('./app.cjs').start(() => change(large))
}
