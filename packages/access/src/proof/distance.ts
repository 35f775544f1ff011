/** Returns how many characters must be added, removed or replaced to turn one text into the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] as number) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced))
    }
    row = next
  }
  return row[other.length] as number
}

/** Returns the most different characters of a similar name. Short names differ easily, so they allow only one. */
const mostDifferent = ({ length }: string): number => (length < 4 ? 1 : Math.max(2, length / 4))

/** Returns the known name that is most similar to a misspelled one; undefined if no known name is similar enough. */
export const closest = (name: string, known: Iterable<string>): string | undefined =>
  [...known]
    .map((each) => [distance(name, each), each] as const)
    .filter(([steps]) => steps <= mostDifferent(name))
    .sort(([one], [other]) => one - other)[0]?.[1]
