import type { RepositoryId } from "@slipway/domain/forge/base"
import {
  forks,
  repositoryProfiles,
  repositoryTopics,
  stars,
  TopicName,
  transfers,
  watches
} from "@slipway/domain/forge/code"
import { releases } from "@slipway/domain/forge/collaboration"
import { AvatarName } from "@slipway/domain/forge/identity"
import { mirrors } from "@slipway/domain/forge/integrations"
import { Effect } from "effect"
import { missing, moment, newIssueIn, userOwner } from "../../../builders.ts"
import { equal, repository, user } from "../../base/fixtures.ts"
import { fixture } from "./fixture.ts"

const nothing = {
  organization: undefined,
  openIssues: 0,
  openPulls: 0,
  stars: 0,
  watchers: 0,
  forks: 0,
  releases: 0,
  parentId: null,
  follows: undefined,
  offered: false,
  topics: [],
  avatar: null,
  language: "",
  licenses: []
}

/** Tests the counters and other computed values of repositories. */
export const summarizes = Effect.gen(function* () {
  const { acme, bob, notes, site, store } = yield* fixture
  const cy = yield* user(5, { name: "cy" })
  const fork = yield* repository(7, userOwner(bob), { name: "site" })
  const [at, repositoryId] = [moment(1), site.id]
  yield* (yield* forks.store).insert({ repositoryId: fork.id, parentId: site.id, ownerId: bob.id })
  yield* newIssueIn(site.id, bob.id, "open", {})
  yield* newIssueIn(site.id, bob.id, "shut", { state: "closed" })
  yield* newIssueIn(site.id, bob.id, "change", { pull: true })
  yield* newIssueIn(site.id, bob.id, "another", { pull: true })
  for (const { id: userId } of [bob, cy]) {
    yield* (yield* stars.store).insert({ userId, repositoryId, createdAt: at })
    yield* (yield* watches.store).insert({ userId, repositoryId, watching: userId === bob.id, createdAt: at })
  }
  for (const name of ["zoo", "art"]) {
    yield* (yield* repositoryTopics.store).insert({ repositoryId, name: TopicName.make(name), createdAt: at })
  }
  const release = { authorId: null, target: "main", title: "", body: "", prerelease: false, createdAt: at }
  for (const [tag, draft] of [
    ["v1", false],
    ["v2", true]
  ] as const) {
    yield* (yield* releases.store).insert({ ...release, repositoryId, tag, draft, publishedAt: draft ? null : at })
  }
  const avatar = AvatarName.make("0123456789abcdef0123456789abcdef")
  yield* (yield* repositoryProfiles.store).insert({ repositoryId, avatar, language: "Go", licenses: ["MIT"] })
  const offer = { doerId: bob.id, userId: cy.id, organizationId: null, teamIds: [], lent: false, createdAt: at }
  yield* (yield* transfers.store).insert({ ...offer, repositoryId: notes.id })
  const mirror = {
    url: "https://elsewhere.example/site.git",
    username: "",
    password: null,
    interval: 600,
    onCommit: false,
    oneTime: true,
    wiki: false,
    createdAt: at,
    syncedAt: moment(2),
    lastError: "",
    dueAt: null,
    running: false,
    asked: 0
  }
  const followed = { ...mirror, repositoryId: fork.id }
  yield* (yield* mirrors.store).insert({ ...followed, direction: "pull", name: "origin", uuid: "one" })
  // A push mirror of a repository doesn't make it a pull mirror.
  yield* (yield* mirrors.store).insert({ ...followed, repositoryId, direction: "push", name: "copy", uuid: "two" })

  const found = yield* store.summaries([fork.id, site.id, notes.id, missing as unknown as RepositoryId, site.id])
  equal(found.size, 3)
  equal(found.get(site.id), {
    ...nothing,
    organization: acme,
    openIssues: 1,
    openPulls: 2,
    stars: 2,
    watchers: 1,
    forks: 1,
    releases: 1,
    topics: ["art", "zoo"],
    avatar,
    language: "Go",
    licenses: ["MIT"]
  })
  equal(found.get(notes.id), { ...nothing, offered: true })
  equal(found.get(fork.id), {
    ...nothing,
    parentId: site.id,
    follows: { url: mirror.url, interval: 600, oneTime: true, syncedAt: moment(2) }
  })
  equal((yield* store.summaries([])).size, 0)
  yield* store.remove(site.id)
  equal((yield* store.summaries([fork.id])).get(fork.id)?.parentId, null)
})
