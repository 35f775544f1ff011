import type { Settings } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  formSection,
  type Html,
  html,
  otherProblems,
  textField,
  time,
  typed
} from "@slipway/web/foundation"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { overrideField, rejectedChange } from "../applications/domainConflicts.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"

/** Shows whether a part of the platform is enabled, and the button that changes it. */
const switchCard = (
  visit: ConsoleVisit,
  {
    hint,
    isOn,
    mayChange,
    name,
    title
  }: Readonly<Record<"hint" | "name" | "title", string>> & Readonly<Record<"isOn" | "mayChange", boolean>>
): Html => {
  const { instance: t } = visit.texts
  const button = isOn
    ? actionButton(visit, { do: `disable-${name}` }, t.disable, { className: "button danger", about: title })
    : actionButton(visit, { do: `enable-${name}` }, t.enable, { className: "button primary", about: title })
  return card(
    title,
    html`<div class="body"><p><span class="badge ${isOn ? "ok" : ""}">${isOn ? t.enabled : t.disabled}</span></p><p class="soft">${hint}</p>${mayChange && button}</div>`,
    title
  )
}

const factsCard = (visit: ConsoleVisit, { updated_at: at }: Settings, version: string): Html => {
  const { instance: t } = visit.texts
  return card(
    t.about,
    html`<dl class="body facts"><dt>${t.version}</dt><dd>${version}</dd><dt>${t.updated}</dt><dd>${time(visit, at)}</dd></dl>`
  )
}

/** `/settings`: the settings of the instance, for owners of the root team. */
export const instanceSettingsPage = page({
  path: "/settings",
  operations: [
    "people.check",
    "settings.get",
    "settings.update",
    "settings.enable",
    "settings.disable",
    "settings.enableMcp",
    "settings.disableMcp",
    "settings.version"
  ],
  load: async (visit) => {
    const { settings } = visit.deploy
    const [found, version, may] = await Promise.all([
      settings.get(),
      settings.version(),
      decisionsOn(visit, {
        ...administrationQuestions,
        update: ["settings.update"],
        enableApi: ["api.enable"],
        disableApi: ["api.disable"],
        enableMcp: ["mcp.enable"],
        disableMcp: ["mcp.disable"]
      })
    ])
    return { settings: found, version, may }
  },
  view: ({ may, settings, version }, visit) => {
    const { applications, forms, instance: t } = visit.texts
    const { instance_domains: domains, is_api_enabled: hasApi, is_mcp_server_enabled: hasMcp } = settings
    return {
      title: t.title,
      frame: administrationFrame(visit, "settings", may),
      body: html`${otherProblems(visit, ["addresses"])}
${
  may.update
    ? formSection(visit, {
        key: "addresses",
        title: t.addresses,
        hint: t.addressesHint,
        fields: (own) =>
          html`${textField(own, { name: "instance_domains", label: t.addresses, hint: applications.domainsHint, value: domains, maxlength: 4096 })}${overrideField(own)}`,
        button: forms.save
      })
    : card(t.addresses, html`<p class="body">${domains}</p>`)
}
${switchCard(visit, { name: "api", title: t.api, hint: t.apiHint, isOn: hasApi, mayChange: hasApi ? may.disableApi : may.enableApi })}
${switchCard(visit, { name: "mcp", title: t.mcp, hint: t.mcpHint, isOn: hasMcp, mayChange: hasMcp ? may.disableMcp : may.enableMcp })}
${factsCard(visit, settings, version)}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { settings } = visit.deploy
    try {
      switch (typed(form, "do")) {
        case "enable-api":
          await settings.enable()
          break
        case "disable-api":
          await settings.disable()
          break
        case "enable-mcp":
          await settings.enableMcp()
          break
        case "disable-mcp":
          await settings.disableMcp()
          break
        default:
          await settings.update({
            body: {
              instance_domains: typed(form, "instance_domains").trim(),
              ...(typed(form, "force_domain_override") === "on" ? { force_domain_override: true } : {})
            }
          })
      }
      return { to: "/settings" }
    } catch (error) {
      return rejectedChange(visit, error, ["instance_domains"], "instance_domains")
    }
  }
})
