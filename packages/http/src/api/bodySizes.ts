/** The size limit of most bodies, in bytes: larger ones are read only after the authorization. */
export const smallBody = 64 * 1024

/** The maximum size of a body with a text of 64 KiB: an escaped character may take six bytes. */
export const settingBody = 512 * 1024
