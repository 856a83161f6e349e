/** Starts measuring the processor time of this process, which does not depend on what else the machine does. */
export const cpuMs = (): (() => number) => {
  const start = process.cpuUsage()
  return () => {
    const { system, user } = process.cpuUsage(start)
    return (user + system) / 1_000
  }
}
