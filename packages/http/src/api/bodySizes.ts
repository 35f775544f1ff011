/** The size that most bodies stay below: larger ones are read only once rights are decided. */
export const smallBody = 64 * 1024
