/** The size limit of most request bodies, in bytes; endpoints with larger bodies authorize before they read. */
export const smallBody = 64 * 1024

/** The maximum size of a request body with a text of 64 KiB, in bytes: an escaped character can take six bytes. */
export const settingBody = 512 * 1024
