import type { BranchProtection, EditBranchProtectionOption } from "@slipway/client/forge"
import { checkField, formTo, problemSummary, textArea, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { actionButton } from "../../forms/sections.ts"
import { type Html, html } from "../../html/Html.ts"
import { empty, linkButton } from "../../layout/components.ts"
import type { Problems } from "../../page/FormState.ts"
import { typed } from "../../page/FormState.ts"
import { page, type Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"
import { loadSettings, settingsOperations, settingsPath, settingsView } from "./settings.ts"

const flags = [
  "enable_push",
  "enable_push_whitelist",
  "enable_force_push",
  "enable_merge_whitelist",
  "dismiss_stale_approvals",
  "block_on_rejected_reviews",
  "block_on_official_review_requests",
  "block_on_outdated_branch",
  "enable_status_check",
  "require_signed_commits",
  "block_admin_merge_override"
] as const

const lists = [
  "push_whitelist_usernames",
  "push_whitelist_teams",
  "merge_whitelist_usernames",
  "merge_whitelist_teams"
] as const

const partsOf = (text: string, by: RegExp): ReadonlyArray<string> =>
  text
    .split(by)
    .map((each) => each.trim())
    .filter((each) => each !== "")

const ruleFields = (visit: Visit, rule?: BranchProtection): Html => {
  const { settings: t } = visit.texts
  const check = (name: (typeof flags)[number], label: string) =>
    checkField(visit, { name, label, checked: rule?.[name] ?? false })
  const list = (name: (typeof lists)[number], label: string) =>
    textField(visit, { name, label, hint: t.listHint, value: rule?.[name].join(", ") ?? "", maxlength: 4096 })
  return html`${check("enable_push", t.push)}${check("enable_push_whitelist", t.pushList)}${list("push_whitelist_usernames", t.pushUsers)}${list("push_whitelist_teams", t.pushTeams)}${check("enable_force_push", t.forcePush)}
${check("enable_merge_whitelist", t.mergeList)}${list("merge_whitelist_usernames", t.mergeUsers)}${list("merge_whitelist_teams", t.mergeTeams)}
${textField(visit, { name: "required_approvals", label: t.approvals, type: "number", value: String(rule?.required_approvals ?? 0) })}
${check("dismiss_stale_approvals", t.stale)}${check("block_on_rejected_reviews", t.rejected)}${check("block_on_official_review_requests", t.requested)}${check("block_on_outdated_branch", t.outdated)}
${check("enable_status_check", t.checks)}${textArea(visit, { name: "status_check_contexts", label: t.contexts, hint: t.contextsHint, rows: 4, value: rule?.status_check_contexts.join("\n") ?? "" })}
${check("require_signed_commits", t.signed)}${check("block_admin_merge_override", t.admins)}
${textField(visit, { name: "protected_file_patterns", label: t.protectedFiles, hint: t.filesHint, value: rule?.protected_file_patterns ?? "", maxlength: 4096 })}`
}

/** Returns the typed branch protection rule in the format of the API, or the error messages of its fields. */
const ruleIn = ({ form, texts }: Visit): EditBranchProtectionOption | Problems => {
  const approvals = Number(typed(form, "required_approvals").trim() || "0")
  if (!Number.isInteger(approvals) || approvals < 0 || approvals > 100)
    return { required_approvals: texts.settings.approvalsWrong }
  return {
    ...Object.fromEntries(flags.map((name) => [name, typed(form, name) === "on"])),
    ...Object.fromEntries(lists.map((name) => [name, partsOf(typed(form, name), /,/)])),
    required_approvals: approvals,
    status_check_contexts: partsOf(typed(form, "status_check_contexts"), /\n/),
    protected_file_patterns: typed(form, "protected_file_patterns").trim()
  } satisfies EditBranchProtectionOption
}

const isProblems = (read: EditBranchProtectionOption | Problems): read is Problems =>
  typeof read.required_approvals === "string"

const row = (visit: Visit, rule: BranchProtection): Html => {
  const { forms, settings: t } = visit.texts
  const edit = `${settingsPath(visit, "branches", "edit")}?${new URLSearchParams({ rule_name: rule.rule_name })}`
  return html`<li><div class="grow"><h3><a href="${edit}">${rule.rule_name}</a></h3><span class="row small soft">${rule.required_approvals > 0 && html`<span>${t.approvalsShown(rule.required_approvals)}</span>`}${rule.enable_status_check && html`<span>${t.checks}</span>`}${rule.require_signed_commits && html`<span>${t.signed}</span>`}</span></div>${actionButton(visit, { do: "delete", rule: rule.rule_name }, forms.delete, { className: "button danger", about: rule.rule_name })}</li>`
}

/** `/{owner}/{repo}/settings/branches`: the branch protection rules of a repository. */
export const branchSettingsPage = page({
  path: "/:owner/:repo/settings/branches",
  operations: [...settingsOperations, "repository.branchProtection.list", "repository.branchProtection.delete"],
  signIn: true,
  load: async (visit) => ({
    repository: await loadSettings(visit),
    rules: await visit.forge.repository.branchProtection.list({ params: namedIn(visit) })
  }),
  view: ({ repository, rules }, visit) => {
    const { settings: t } = visit.texts
    const create = linkButton(settingsPath(visit, "branches", "edit"), t.newRule, "plus", "primary")
    const body = html`<div class="title"><h2>${t.rules}</h2><span class="push">${create}</span></div>${problemSummary(visit)}
<section class="card" aria-label="${t.rules}">${rules.length === 0 ? empty(t.noRules, create) : html`<ul class="rows">${rules.map((rule) => row(visit, rule))}</ul>`}</section>`
    return settingsView(visit, repository, "branches", t.branches, body)
  },
  submit: async (visit) => {
    const params = { ...namedIn(visit), "*": typed(visit.form, "rule") }
    await visit.forge.repository.branchProtection.delete({ params })
    return { to: visit.url.pathname }
  }
})

const ruleName = ({ form, query }: Visit): string =>
  (form.values.get("rule_name") ?? query.get("rule_name") ?? "").trim()
const isNew = ({ form, query }: Visit): boolean => (form.values.get("was") ?? query.get("rule_name") ?? "") === ""

/** `/{owner}/{repo}/settings/branches/edit?rule_name=`: creates or changes a branch protection rule. */
export const editBranchRulePage = page({
  path: "/:owner/:repo/settings/branches/edit",
  operations: [
    ...settingsOperations,
    "repository.branchProtection.read",
    "repository.branchProtection.create",
    "repository.branchProtection.edit"
  ],
  signIn: true,
  load: async (visit) => {
    const repository = await loadSettings(visit)
    if (isNew(visit)) return { repository, rule: undefined }
    const params = { ...namedIn(visit), "*": ruleName(visit) }
    return { repository, rule: await visit.forge.repository.branchProtection.read({ params }) }
  },
  view: ({ repository, rule }, visit) => {
    const { forms, settings: t } = visit.texts
    const title = rule === undefined ? t.newRule : t.editRule(rule.rule_name)
    const name =
      rule === undefined
        ? textField(visit, { name: "rule_name", label: t.rulePattern, hint: t.rulePatternHint, required: true })
        : html`<input type="hidden" name="rule_name" value="${rule.rule_name}"><input type="hidden" name="was" value="${rule.rule_name}">`
    const body = html`<div class="medium"><section class="card" aria-label="${title}"><header><h2>${title}</h2></header><div class="body">${problemSummary(visit)}${formTo(
      visit,
      visit.url.pathname,
      html`${name}${ruleFields(visit, rule)}<button class="button primary">${rule === undefined ? t.createRule : forms.save}</button>`
    )}</div></section></div>`
    return settingsView(visit, repository, "branches", title, body)
  },
  submit: async (visit) => {
    const name = ruleName(visit)
    if (name === "") return { problems: { rule_name: visit.texts.forms.required } }
    const read = ruleIn(visit)
    if (isProblems(read)) return { problems: read }
    const { branchProtection } = visit.forge.repository
    const sent = isNew(visit)
      ? await branchProtection.create({ params: namedIn(visit), body: { rule_name: name, ...read } }).result()
      : await branchProtection.edit({ params: { ...namedIn(visit), "*": name }, body: read }).result()
    return sent.ok ? { to: settingsPath(visit, "branches") } : rejectedAt(sent.error, { "": "rule_name" })
  }
})
