/**
 * Compares two texts by their code points, as databases do with the collation "C". The operator `<` would compare
 * UTF-16 code units.
 */
export const byCodePoints = (one: string, other: string): number => {
  const [ones, others] = [Array.from(one), Array.from(other)]
  const differs = ones.findIndex((codePoint, at) => codePoint !== others[at])
  if (differs === -1) return ones.length - others.length
  return (ones[differs]?.codePointAt(0) ?? -1) - (others[differs]?.codePointAt(0) ?? -1)
}
