/**
 * Starts to measure the CPU time of this thread, and returns a function that reads it, in milliseconds.
 *
 * CPU time does not advance while other processes run, so a busy machine fails no test.
 */
export const processorTime = (): (() => number) => {
  const begun = process.threadCpuUsage()
  return () => {
    const { system, user } = process.threadCpuUsage(begun)
    return (system + user) / 1_000
  }
}
