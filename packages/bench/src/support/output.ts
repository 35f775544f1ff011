/** Prints a line of a benchmark's tables. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Prints the progress of a benchmark, or what it lacks. */
export const printProgress = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
