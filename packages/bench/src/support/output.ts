/** Prints a line of a benchmark's result tables to standard output. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Prints the progress of a benchmark, or why its result is insufficient, to standard error. */
export const printProgress = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
