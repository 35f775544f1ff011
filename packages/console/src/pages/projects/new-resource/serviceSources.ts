import { fileField, html, selectField, textArea, typed } from "@slipway/web/foundation"
import { servicePath } from "../../../layout/links.ts"
import type { ConsoleVisit } from "../../../page/ConsolePage.ts"
import { typedText } from "../../../page/secretFields.ts"
import { overrideField } from "../../applications/domainConflicts.ts"
import { nameField, placeIn, serverField, startField, startIn } from "./creation.ts"
import type { Source } from "./sourcePage.ts"

/** Returns the addresses of services in lines such as `web=https://shop.example`. */
const addressesIn = (visit: ConsoleVisit): ReadonlyArray<{ readonly name: string; readonly url: string }> =>
  typedText(visit, "domains")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", ...url] = line.split("=")
      return { name: name.trim(), url: url.join("=").trim() }
    })

/** Puts the text of an uploaded file into the field for the text, so that a rejected form shows it. */
const readUpload = async ({ form: { files, values } }: ConsoleVisit): Promise<void> => {
  const [file] = files?.get("file") ?? []
  if (file !== undefined) values.set("docker_compose_raw", await file.text())
}

/** A compose file, as text or as an uploaded file. */
export const composeSource: Source<undefined> = {
  key: "compose",
  texts: ({ texts: { applications: t, databases } }) => ({
    title: t.ofCompose,
    hint: t.ofComposeHint,
    button: databases.createService
  }),
  operations: ["services.create"],
  names: ["name", "server_uuid", "domains", "docker_compose_raw", "file"],
  shownAt: { urls: "domains" },
  extra: async () => undefined,
  uploads: true,
  fields: (visit, servers) => {
    const { applications: t, databases, words } = visit.texts
    return html`${textArea(visit, { name: "docker_compose_raw", label: databases.compose, rows: 12 })}
${fileField(visit, { name: "file", label: t.composeFile, hint: t.composeFileHint })}
${nameField(visit)}
${textArea(visit, { name: "domains", label: words.domains, hint: t.serviceDomainsHint, rows: 3 })}${overrideField(visit)}
${serverField(visit, servers)}${startField(visit)}`
  },
  create: async (visit) => {
    await readUpload(visit)
    const urls = addressesIn(visit)
    const body = {
      ...placeIn(visit),
      ...startIn(visit),
      docker_compose_raw: typedText(visit, "docker_compose_raw"),
      ...(urls.length === 0 ? {} : { urls })
    }
    return servicePath((await visit.deploy.services.create({ body })).uuid)
  }
}

/** A service of the catalog. */
export const templateSource: Source<ReadonlyArray<{ readonly value: string; readonly label: string }>> = {
  key: "service",
  texts: ({ texts: { databases } }) => ({
    title: databases.ofTemplate,
    hint: databases.ofTemplateHint,
    button: databases.createService
  }),
  operations: ["services.templates", "services.create"],
  names: ["name", "server_uuid", "type"],
  extra: async ({ deploy }) =>
    (await deploy.services.templates()).map(({ title: label, type: value }) => ({ value, label })),
  fields: (visit, servers, options) =>
    html`${selectField(visit, { name: "type", label: visit.texts.databases.template, options })}${nameField(visit)}${serverField(visit, servers)}${startField(visit)}`,
  create: async (visit) => {
    const body = { ...placeIn(visit), ...startIn(visit), type: typed(visit.form, "type") }
    return servicePath((await visit.deploy.services.create({ body })).uuid)
  }
}
