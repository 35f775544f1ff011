import { Schema } from "effect"
import { isIpv4, parseDomains } from "../domains/DomainAddress.ts"
import { line } from "./field.ts"

/** The default host template of previews: a subdomain of the application's domain. */
export const usualTemplate = "{{pr_id}}.{{domain}}"

/** The values that replace the placeholders of a preview host template. */
export interface PreviewNames {
  readonly pr_id: number
  /** A random text, which replaces `{{random}}`. */
  readonly random: string
  /** The host of the application's domain. */
  readonly domain: string
}

/**
 * Returns the host name of a preview: the template with its placeholders replaced.
 *
 * @example
 * previewHost("{{pr_id}}.{{domain}}", { pr_id: 12, random: "x7", domain: "shop.example" }) // => "12.shop.example"
 * previewHost("{{random}}-{{pr_id}}.dev.example", { pr_id: 12, random: "x7", domain: "shop.example" }) // => "x7-12.dev.example"
 */
export const previewHost = (template: string, names: PreviewNames): string =>
  template.replaceAll(/\{\{(pr_id|random|domain)\}\}/g, (_, name: keyof PreviewNames) => String(names[name]))

// A numeric host is an IP address, which could be the server's own.
const samples: ReadonlyArray<PreviewNames> = [1, 2_147_483_647].map((pr_id) => ({
  pr_id,
  random: "x",
  domain: "a.example"
}))

const isHostName = (host: string): boolean => {
  if (!/^[^/:,@?#]+$/.test(host)) return false
  const { addresses, problems } = parseDomains(`http://${host}`)
  return problems.length === 0 && addresses.every(({ key }) => !isIpv4(key))
}

const problemOf = (template: string): string | undefined => {
  if (!/\{\{(?:pr_id|random)\}\}/.test(template)) return "Must contain `{{pr_id}}` or `{{random}}`."
  return samples.every((sample) => isHostName(previewHost(template, sample)))
    ? undefined
    : "Must be a host name with `{{pr_id}}`, `{{random}}` and `{{domain}}` in it."
}

/** The schema of the host template of previews, which may contain placeholders. */
export const PreviewTemplate = line(255).check(Schema.makeFilter(problemOf))
