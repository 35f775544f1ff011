import { ForgeApi } from "@slipway/http/api/forge"
import { HttpApi } from "effect/http-api"

/** Values of the parameters of paths in the demo world, by name; each list is tried. */
export interface ParameterValues {
  readonly [name: string]: ReadonlyArray<string | number>
}

/** Returns the addresses of all `GET` routes of the API with the values; routes with an unknown parameter are left out. */
export const readAddresses = (values: ParameterValues): ReadonlyArray<string> => {
  const found: Array<string> = []
  HttpApi.reflect(ForgeApi, {
    onGroup() {},
    onEndpoint({ endpoint: { method, path } }) {
      if (method !== "GET") return
      let paths: ReadonlyArray<string> = [path]
      for (const [whole, name = whole] of path.matchAll(/:(\w+)|\*/g))
        paths = paths.flatMap((each) =>
          (values[name] ?? []).map((value) =>
            each.replace(whole, String(value).split("/").map(encodeURIComponent).join("/"))
          )
        )
      found.push(...paths)
    }
  })
  return found
}

const names = new Set(["html_url", "diff_url", "patch_url"])

/** Returns the values of `html_url`, `diff_url` and `patch_url` anywhere in an answer. */
export const addressesIn = (answer: unknown): ReadonlyArray<string> => {
  if (Array.isArray(answer)) return answer.flatMap(addressesIn)
  if (typeof answer !== "object" || answer === null) return []
  return Object.entries(answer).flatMap(([name, value]) =>
    names.has(name) && typeof value === "string" && value !== "" ? [value] : addressesIn(value)
  )
}
