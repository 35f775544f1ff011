import type { ProxyStatus } from "@slipway/client/deploy"
import { card, empty, type Html, html, time } from "@slipway/web/foundation"
import { serverHeading } from "../../layout/frames.ts"
import { applicationPath } from "../../layout/links.ts"
import { type ConsoleVisit, page } from "../../page/ConsolePage.ts"

const tones = { idle: "", none: "", running: "ok", unreachable: "bad" } as const

const certificateRow = (visit: ConsoleVisit, certificate: ProxyStatus["certificates"][number]): Html => {
  const { servers: t } = visit.texts
  const { application_uuid: uuid, host, problem, valid_until: until } = certificate
  return html`<li><span class="badge ${problem === null ? "ok" : "bad"}">${problem === null ? t.valid : t[problem]}</span><h3 class="grow"><a href="${applicationPath(uuid)}">${host}</a></h3>${until !== null && html`<span class="small soft">${t.validUntil} ${time(visit, until)}</span>`}</li>`
}

/** `/servers/{uuid}/proxy`: the state of the proxy of a server, and the certificates that it serves now. */
export const proxyPage = page({
  path: "/servers/:server/proxy",
  operations: ["servers.get", "servers.proxyStatus"],
  load: async (visit) => {
    const params = { uuid: visit.params.server ?? "" }
    const [server, proxy] = await Promise.all([
      visit.deploy.servers.get({ params }),
      visit.deploy.servers.proxyStatus({ params })
    ])
    return { server, proxy }
  },
  view: ({ proxy, server }, visit) => {
    const { servers: t, words } = visit.texts
    const { certificates, message, state } = proxy
    return {
      title: `${t.proxyAndCertificates} · ${server.name}`,
      body: html`${serverHeading(visit, server)}<div class="title"><h2>${t.proxyAndCertificates}</h2></div>
${card(t.proxy, html`<dl class="body facts"><dt>${t.proxy}</dt><dd>${server.proxy_type}</dd><dt>${words.status}</dt><dd><span class="badge ${tones[state]}">${t.proxyStates[state]}</span>${message !== null && html` ${message}`}</dd></dl>`)}
${card(t.certificates, certificates.length === 0 ? empty(t.noCertificates) : html`<ul class="rows">${certificates.map((each) => certificateRow(visit, each))}</ul>`)}`
    }
  }
})
