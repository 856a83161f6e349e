#!/usr/bin/env node
/**
 * What npm links as `devtool`. `version` and help are answered at once; everything else is in app.cjs, whose compiled
 * form is kept in the user's cache folder. A cache that is missing, foreign or broken costs time and nothing else;
 * DEVTOOL_NO_CODE_CACHE=1 switches it off.
 */
'use strict'

const fs = require('node:fs')
const path = require('node:path')

const version = process.env.DEVTOOL_VERSION
const args = process.argv.slice(2)

/** Not process.stdout: making that stream takes longer than all the rest. False when it is for app.cjs to say. */
const say = (text) => {
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at)
    return true
  } catch {
    return false
  }
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
    const texts = JSON.parse(fs.readFileSync(path.join(__dirname, 'help.json'), 'utf8'))
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

/** Compiled code is code: it is taken only from a file that nobody else can have written. */
const readCache = (file) => {
  try {
    const fd = fs.openSync(file, 'r')
    try {
      const stat = fs.fstatSync(fd)
      const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o022) === 0)
      return stat.isFile() && isOurs ? fs.readFileSync(fd) : undefined
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
    if (name.startsWith('app-') && fs.statSync(file).mtimeMs < oldest) fs.rmSync(file, { force: true })
  }
}

const writeCache = (folder, file, script) => {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    fs.writeFileSync(temporary, script.createCachedData(), { flag: 'wx', mode: 0o600 })
    fs.renameSync(temporary, file)
    removeOld(folder)
  } catch {
    try {
      fs.rmSync(temporary, { force: true })
    } catch {}
  }
}

/**
 * Every line of the app runs a few thousand times at most: V8 would spend a third of the time on optimising code that is
 * about to end, and let garbage pile up to four times the live heap. The flags are part of what a code cache is made for.
 */
const tune = () => {
  const { setFlagsFromString } = require('node:v8')
  // Later versions of V8 do not know the flag, and optimise with more care.
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=500000')
  setFlagsFromString('--heap-growing-percent=100')
}

const load = () => {
  const { Script } = require('node:vm')
  tune()
  const filename = path.join(__dirname, 'app.cjs')
  // The bundle is plain ASCII, which one byte a character reads fastest.
  const source = `(function (exports, require, module, __filename, __dirname) {${fs.readFileSync(filename, 'latin1')}\n})`
  const folder = cacheFolder()
  const key = `app-${process.env.DEVTOOL_APP_HASH}-${process.versions.v8}-${process.arch}.bin`
  const file = folder && path.join(folder, key)
  const cachedData = file && readCache(file)
  const script = new Script(source, { filename, cachedData })
  const module = { exports: {} }
  script.runInThisContext().call(module.exports, module.exports, require, module, filename, __dirname)
  // Made after a run, it holds the functions that were used; only a run that does the real work uses enough of them.
  const isWorth = ['deploy', 'validate'].includes(args[0]) && !args.includes('--help')
  if (file && isWorth && (cachedData === undefined || script.cachedDataRejected)) {
    process.once('exit', (status) => {
      if (status === 0) writeCache(folder, file, script)
    })
  }
  return module.exports.start()
}

if (!answer()) void load()
