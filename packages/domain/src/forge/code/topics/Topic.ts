import { Context, type Effect, Schema } from "effect"
import * as Fields from "../../../owned/fields.ts"
import { ascending, owned } from "../../../owned/Owned.ts"
import type { Page, PageRequest } from "../../../Page.ts"
import type { RepositoryId } from "../../base/names/repositoryId.ts"

/** The maximum number of topics of a repository. */
export const mostTopics = 25

const longestTopic = 35
const form = /^[a-z0-9][a-z0-9.-]*$/

const cleaned = (text: string): string => text.trim().toLowerCase()

/** Returns the reason why the name of a topic is invalid; undefined if it is valid. */
export const topicProblem = (text: string): string | undefined => {
  const name = cleaned(text)
  if ([...name].length > longestTopic) return `must have at most ${longestTopic} characters`
  return form.test(name) ? undefined : "must begin with a letter or digit and have letters, digits, `-` and `.`"
}

/** The schema of the name of a topic in a request, which `topicOf` converts to its stored form. */
export const TopicName = Schema.String.check(Schema.makeFilter((text: string) => topicProblem(text))).pipe(
  Schema.brand("TopicName")
)
export type TopicName = typeof TopicName.Type

/**
 * Returns the stored form of a topic's name: trimmed and in lower case.
 *
 * @example
 * topicOf(TopicName.make(" Machine-Learning")) // => "machine-learning"
 */
export const topicOf = (name: TopicName): TopicName => TopicName.make(cleaned(name))

/** A topic of a repository. */
export interface RepositoryTopic {
  readonly id: number
  readonly repositoryId: RepositoryId
  readonly name: TopicName
  readonly createdAt: string
}

/** The table of the topics of repositories, sorted by name. */
export const repositoryTopics = owned<RepositoryTopic>()("repositoryTopic", {
  within: ["repositoryId"],
  fields: {
    repositoryId: Fields.reference("repository"),
    name: Fields.text(),
    createdAt: Fields.time()
  },
  orders: { name: ascending("name") },
  filters: ["name"],
  unique: { pair: ["repositoryId", "name"] }
})

/** A topic with the number of public repositories that have it. */
export interface Topic {
  readonly id: number
  readonly name: TopicName
  /** The number of public repositories with the topic. */
  readonly repositories: number
  /** The time in ISO 8601 when a public repository first received the topic. */
  readonly createdAt: string
  /** The time in ISO 8601 when a public repository last received the topic. */
  readonly updatedAt: string
}

/** Reports that a repository would have too many topics. */
export class TooManyTopics extends Schema.TaggedError<TooManyTopics>()("TooManyTopics", { most: Schema.Number }) {}

/** Reports that the name of a topic is invalid, with the reason. */
export class TopicInvalid extends Schema.TaggedError<TopicInvalid>()("TopicInvalid", { problem: Schema.String }) {}

/**
 * Searches the topics of all repositories.
 *
 * Must:
 * - find topics by a part of their name, most used first, without gaps or repeats between pages
 * - count only public repositories through every change, and hide topics without one
 */
export class TopicStore extends Context.Service<
  TopicStore,
  { readonly search: (text: string, page: PageRequest) => Effect.Effect<Page<Topic>> }
>()("@slipway/domain/forge/TopicStore") {}
