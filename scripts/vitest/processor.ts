/**
 * Begins to count the time that this thread uses its processor, and returns what tells it, in milliseconds.
 *
 * Unlike the clock it stands still while others have the processor, so that a busy machine fails no test.
 */
export const processorTime = (): (() => number) => {
  const begun = process.threadCpuUsage()
  return () => {
    const { system, user } = process.threadCpuUsage(begun)
    return (system + user) / 1_000
  }
}
