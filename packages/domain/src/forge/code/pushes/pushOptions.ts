import type { RepositorySettingsOf } from "../repositories/Repository.ts"

/** The repository settings that an administrator can change with push options (`git push -o`). */
export type PushSettings = Partial<Pick<RepositorySettingsOf, "private" | "template">>

const fields: Readonly<Record<string, keyof PushSettings>> = { "repo.private": "private", "repo.template": "template" }

const values: Readonly<Record<string, boolean>> = { "": true, true: true, false: false }

/**
 * Parses push options (`git push -o`) to the repository settings that they change; undefined if there are none.
 *
 * ```ts
 * import { settingsIn } from "./pushOptions.ts"
 *
 * settingsIn(["repo.private=true", "ci.skip"]) // => { private: true }
 * settingsIn(["repo.template", "repo.private=maybe"]) // => { template: true }
 * settingsIn(["ci.skip"]) // => undefined
 * ```
 */
export const settingsIn = (options: ReadonlyArray<string>): PushSettings | undefined => {
  const wanted = options.flatMap((option) => {
    const [name = "", value = ""] = option.split(/=(.*)/s)
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const set = Object.hasOwn(values, value) ? values[value] : undefined
    return field === undefined || set === undefined ? [] : [[field, set] as const]
  })
  return wanted.length === 0 ? undefined : Object.fromEntries(wanted)
}
