import type { People } from "../People.ts"

const params = { username: "brightwater", reponame: "gauge" }

/** Publishes releases with files, packages and wiki pages. */
export const publish = async ({ jonas, lucia, mara }: People): Promise<void> => {
  const history = await mara.forge.repository.commit.list({ params, query: { limit: 50 } })
  const shaOf = (message: string) =>
    history.find(({ commit }) => commit?.message?.startsWith(message) === true)?.sha ?? "main"
  for (const [tag, name, body, at] of [
    [
      "v1.0.0",
      "Gauge 1.0",
      "The first release.\n\n- Decodes and stores readings\n- Raises alerts",
      "Set the version to 1.0.0"
    ],
    [
      "v1.1.0",
      "Gauge 1.1: fewer alerts",
      "- `/healthz` for load balancers\n- Alerts only after three readings in a row",
      "Set the version to 1.1.0"
    ]
  ] as const) {
    const { id } = await mara.forge.repository.release.create({
      params,
      body: { tag_name: tag, name, body, target_commitish: shaOf(at) }
    })
    const form = new FormData()
    form.append("attachment", new Blob([`${name}\n`]), `gauge-${tag}.tar.gz`)
    await mara.forge.repository.release.asset.create({ params: { ...params, id }, body: form })
  }
  await mara.forge.repository.release.create({
    params,
    body: {
      tag_name: "v2.0.0-beta.1",
      name: "Gauge 2.0 beta",
      body: "For the brave.",
      target_commitish: "main",
      prerelease: true
    }
  })
  for (const version of ["1.0.0", "1.1.0"])
    await mara.send(
      "PUT",
      `/api/packages/brightwater/generic/gauge/${version}/gauge-${version}.tar.gz`,
      `gauge ${version}`
    )
  await mara.send("PUT", "/api/packages/brightwater/generic/firmware/b3/firmware-b3.bin", "firmware")
  await mara.forge.package.link({
    params: { username: "brightwater", type: "generic", name: "gauge", repo_name: "gauge" }
  })
  for (const [title, text] of [
    ["Home", "# Gauge\n\n- [Alerts](Alerts)\n- [Frames of stations](Frames)\n"],
    ["Alerts", "An alert is raised when a rule is broken.\n\n```ts\nbroken(rules, readings)\n```\n"],
    ["Frames", "| byte | meaning |\n|---|---|\n| 0 | version |\n| 1–2 | level in mm |\n"]
  ] as const)
    await jonas.forge.repository.wiki.page.create({
      params,
      body: { title, content_base64: Buffer.from(text).toString("base64"), message: `Write ${title}` }
    })
  await lucia.forge.repository.wiki.page.create({
    params: { ...params, reponame: "handbook" },
    body: { title: "Home", content_base64: Buffer.from("The rota, and who waters the plants.\n").toString("base64") }
  })
}
