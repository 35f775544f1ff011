import { Schema } from "effect"
import { parseDomains } from "../../domains/DomainAddress.ts"
import { line } from "./field.ts"

/** The address of a preview below the domain of its application, unless another is set. */
export const usualTemplate = "{{pr_id}}.{{domain}}"

/** What stands for the placeholders of a template. */
export interface PreviewNames {
  readonly pr_id: number
  /** What nobody guesses. */
  readonly random: string
  /** The host of the application. */
  readonly domain: string
}

/**
 * Returns the host of a preview.
 *
 * @example
 * previewHost("{{pr_id}}.{{domain}}", { pr_id: 12, random: "x7", domain: "shop.example" }) // => "12.shop.example"
 * previewHost("{{random}}-{{pr_id}}.dev.example", { pr_id: 12, random: "x7", domain: "shop.example" }) // => "x7-12.dev.example"
 */
export const previewHost = (template: string, names: PreviewNames): string =>
  template.replaceAll(/\{\{(pr_id|random|domain)\}\}/g, (_, name: keyof PreviewNames) => String(names[name]))

const sample: PreviewNames = { pr_id: 1, random: "x", domain: "a.example" }

const problemOf = (template: string): string | undefined => {
  if (!/\{\{(?:pr_id|random)\}\}/.test(template)) return "Must hold `{{pr_id}}` or `{{random}}`."
  const host = previewHost(template, sample)
  return /^[^/:,@?#]+$/.test(host) && parseDomains(`http://${host}`).problems.length === 0
    ? undefined
    : "Must be a host name with `{{pr_id}}`, `{{random}}` and `{{domain}}` in it."
}

/** The schema of the host of previews, in which placeholders stand for what they are of. */
export const PreviewTemplate = line(255).check(Schema.makeFilter(problemOf))
