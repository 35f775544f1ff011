import { html } from "@slipway/web/foundation"
import { type ConsolePage, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import { connectionBadge, connectionPages } from "./forgeConnections.ts"
import { githubPages } from "./githubApps.ts"
import { gitlabPages } from "./gitlabApps.ts"
import { pageQuery, storedList, storedPagination } from "./storedRows.ts"

/** `/sources`: the connected forges, GitHub apps and GitLab apps. */
const sourcesPage = page({
  path: "/sources",
  operations: ["forgeConnections.list", "forgeApps.list", "gitlabApps.list", "people.check"],
  load: async (visit) => {
    const { forgeApps, forgeConnections, gitlabApps } = visit.deploy
    const query = pageQuery(visit)
    const [connections, apps, gitlab, may] = await Promise.all([
      forgeConnections.list(query),
      forgeApps.list(query),
      gitlabApps.list(query),
      decisionsOn(visit, {
        ...administrationQuestions,
        connect: ["forgeConnection.create"],
        github: ["forgeApp.create"],
        gitlab: ["gitlabApp.create"]
      })
    ])
    return { connections, apps, gitlab, may }
  },
  view: ({ apps, connections, gitlab, may }, visit) => {
    const { administration: t } = visit.texts
    // A connection is an app installation without a key; it has its own list.
    const github = apps.filter(({ private_key_uuid: key }) => key !== null)
    const longest = [connections, apps, gitlab].reduce((one, other) => (one.length < other.length ? other : one), [])
    return {
      title: t.sources,
      frame: administrationFrame(visit, "sources", may),
      body: html`${storedList({
        title: t.connections,
        none: t.noConnections,
        add: t.connection.add,
        mayAdd: may.connect,
        path: "/sources/connections",
        rows: connections,
        badge: (row) => connectionBadge(visit, row),
        about: ({ account, reason, url }) => html`${url} · ${account}${reason !== null && html` · ${reason}`}`
      })}
${storedList({ title: t.githubApps, none: t.noGithubApps, add: t.github.add, mayAdd: may.github, path: "/sources/github", rows: github, about: ({ html_url: url, organization }) => html`${url}${organization !== null && html` · ${organization}`}` })}
${storedList({ title: t.gitlabApps, none: t.noGitlabApps, add: t.gitlab.add, mayAdd: may.gitlab, path: "/sources/gitlab", rows: gitlab, about: ({ group_name: groups, html_url: url }) => html`${url}${groups !== null && html` · ${groups}`}` })}${storedPagination(visit, longest)}`
    }
  }
})

/** The pages of sources: connected forges, GitHub apps and GitLab apps. */
export const sourcePages: ReadonlyArray<ConsolePage> = [sourcesPage, ...connectionPages, ...githubPages, ...gitlabPages]
