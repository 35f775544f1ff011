import { type FieldName, fields } from "./table.ts"

/** The field names that Coolify clients send and read, in addition to those of the specification. */
export const siblingNames = {
  github_app_uuid: "forge_app_uuid",
  manual_webhook_secret_github: "manual_webhook_secret_forgeA",
  manual_webhook_secret_gitlab: "manual_webhook_secret_forgeB",
  manual_webhook_secret_bitbucket: "manual_webhook_secret_forgeC",
  manual_webhook_secret_gitea: "manual_webhook_secret_forgeD"
} as const satisfies Readonly<Record<string, FieldName>>
/** The name of a Coolify field. */
export type SiblingName = keyof typeof siblingNames

/** All names of Coolify fields, in order. */
export const allSiblingNames = Object.keys(siblingNames) as ReadonlyArray<SiblingName>

const isSiblingName = (name: string): name is SiblingName => Object.hasOwn(siblingNames, name)

/** Returns the field for a name in a request; undefined for an unknown name. */
export const fieldNamed = (name: string): FieldName | undefined =>
  isSiblingName(name) ? siblingNames[name] : Object.hasOwn(fields, name) ? (name as FieldName) : undefined
