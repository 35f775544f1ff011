/** Prints a line of the tables that a benchmark answers with. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** Says how far a benchmark is, or what it misses. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
