import type { Application, Configuration } from "@slipway/domain/deploy/apps"
import { fields, nameEnding, parseDomains, previewHost, usualTemplate } from "@slipway/domain/deploy/apps"
import type { ApplicationUuid } from "@slipway/domain/deploy/base"
import { containerProblems } from "@slipway/domain/deploy/containers"
import { toSent } from "../applications/showApplication.ts"

/** The uuid, the pull request number and the branch of a preview. */
export interface PreviewOf {
  readonly uuid: ApplicationUuid
  readonly pullRequestId: number
  readonly branch: string | null
}

/**
 * Derives the addresses of a preview from those of its application. Each host is replaced according to the template;
 * port and path stay.
 *
 * @example
 * previewDomains("https://shop.example:8443/api", null, 12, "x7") // => "https://12.shop.example:8443/api"
 * previewDomains("http://a.test,https://a.test", "{{random}}.{{domain}}", 12, "x7") // => "http://x7.a.test,https://x7.a.test"
 */
export const previewDomains = (
  domains: string,
  template: string | null,
  pullRequestId: number,
  random: string
): string => {
  const addresses = parseDomains(domains).addresses.map(({ written }) => {
    const { hostname, pathname, port, protocol } = new URL(written)
    const host = previewHost(template ?? usualTemplate, { pr_id: pullRequestId, random, domain: hostname })
    return `${protocol}//${host}${port === "" ? "" : `:${port}`}${pathname === "/" ? "" : pathname}`
  })
  return [...new Set(addresses)].join(",")
}

/**
 * Returns the settings of a preview, derived from those of its application.
 *
 * Omits settings that give access to the server or to other applications, because anyone with push access to the branch
 * decides which code runs (invariant I21). Also omits settings that must be unique to one application. Sets
 * `noindex_domains`, so that search engines do not index the preview.
 */
export const previewSettings = (
  source: Pick<Application, "configuration" | "generatedDomain">,
  { branch, pullRequestId, uuid }: PreviewOf
): Configuration => {
  const sent = toSent(source.configuration)
  const of = (domains: string) => previewDomains(domains, sent.preview_url_template, pullRequestId, uuid)
  const domains = of(source.generatedDomain ?? sent.domains)
  const composed = sent.docker_compose_domains?.map(({ domain, name }) => ({ name, domain: of(domain) })) ?? null
  const options = { custom_docker_run_options: sent.custom_docker_run_options }
  const isOpening = Object.keys(containerProblems(options, { hostAccess: false })).length > 0
  return {
    ...sent,
    name: nameEnding(sent.name, `pr-${pullRequestId}`),
    git_branch: branch ?? sent.git_branch,
    git_commit_sha: fields.git_commit_sha.unset,
    domains,
    // Build packs without Compose have no such list.
    docker_compose_domains: composed as Configuration["docker_compose_domains"],
    noindex_domains: [domains, ...(composed ?? []).map(({ domain }) => domain)].filter((list) => list !== ""),
    redirect: null,
    autogenerate_domain: false,
    ports_mappings: fields.ports_mappings.unset,
    connect_to_docker_network: false,
    custom_labels: fields.custom_labels.unset,
    custom_docker_run_options: isOpening ? fields.custom_docker_run_options.unset : sent.custom_docker_run_options,
    docker_images_to_keep: 1,
    is_auto_deploy_enabled: false,
    is_preview_deployments_enabled: false,
    force_domain_override: false,
    instant_deploy: false
  }
}
