/** Looks at one end of a synchronisation, and changes it: the same program here and in the pod. One JSON array a line. */
const fs = require('node:fs')
const path = require('node:path')
const { createInterface } = require('node:readline')

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * At most five minutes: an engine may never send a change. Where a look takes long, looks take at most a fifth of the
 * time.
 */
const until = async (holds, pauseMs) => {
  for (const end = performance.now() + 300_000; ; ) {
    const since = performance.now()
    if (holds()) return
    const now = performance.now()
    if (now > end) throw new Error('the change did not come')
    await pause(Math.max(pauseMs, 4 * (now - since)))
  }
}

const contentAt = (file) => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

const countIn = (folder) => {
  let count = 0
  for (const one of fs.readdirSync(folder, { withFileTypes: true })) {
    if (one.name === '.stfolder') continue
    if (one.isDirectory()) count += countIn(path.join(folder, one.name))
    else if (!one.name.startsWith('.devtool-sync') && !one.name.startsWith('.syncthing.')) count += 1
  }
  return count
}

/** Processes whose command line has a word that ends so: seconds of CPU, and megabytes of anonymous memory. */
const usageOf = (ends) => {
  let [cpu, memory] = [0, 0]
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (!words.some((one) => ends.some((end) => one.endsWith(end)))) continue
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
      cpu += (Number(stat[11]) + Number(stat[12])) / 100
      memory += Number(/RssAnon:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
    } catch {
      // It has ended, or belongs to somebody else.
    }
  }
  return { cpu, memory }
}

const asked = {
  echo: async () => {},
  /** `text`: null when it is to be gone. */
  until: (file, text) => until(() => contentAt(file) === text, 1),
  write: async (file, text) => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  },
  over: async (file, text) => {
    fs.writeFileSync(`${file}~`, text)
    fs.renameSync(`${file}~`, file)
  },
  remove: async (file) => fs.rmSync(file, { recursive: true }),
  untilCount: (folder, count) => until(() => fs.existsSync(folder) && countIn(folder) === count, 5),
  usage: async (...ends) => usageOf(ends),
}

const answer = async (line) => {
  const [id, what, ...words] = JSON.parse(line)
  const say = (...said) => process.stdout.write(`${JSON.stringify([id, ...said])}\n`)
  await asked[what](...words).then(say, ({ message }) => say(null, message))
}

createInterface({ input: process.stdin }).on('line', (line) => void answer(line))
