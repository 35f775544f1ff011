/** Returns how many characters must be added, removed or replaced to turn one text into the other. */
export const distance = (one: string, other: string): number => {
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
