/** The size that most bodies stay below: larger ones are read only once rights are decided. */
export const smallBody = 64 * 1024

/** The size of a body with a text of 64 KiB, each of whose characters may be written in six. */
export const settingBody = 512 * 1024
