import { identiconName } from "@slipway/domain/forge/identity"

/** Returns the path of an avatar. */
export const avatarPath = (name: string): string => `/avatars/${name}`

/** Returns the path of the generated avatar for a user without one. */
export const identiconPath = (name: string): string => avatarPath(identiconName(name))
