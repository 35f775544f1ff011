import { mostTopics, TopicName } from "@slipway/domain/forge/code"
import { Schema } from "effect"
import { done, endpoints, list, remove } from "../base/endpoints.ts"
import { Moment, optionalNullable, text } from "../base/schemas.ts"

/** A topic of public repositories. */
export const TopicResponse = Schema.Struct({
  id: Schema.Int,
  topic_name: Schema.String,
  repo_count: Schema.Int.annotate({ description: "The number of public repositories with it." }),
  created: Moment,
  updated: Moment
}).annotate({ identifier: "TopicResponse" })

/** The request body that sets the topics of a repository. */
export const RepoTopicOptions = Schema.Struct({
  topics: optionalNullable(Schema.Array(TopicName).check(Schema.isMaxLength(mostTopics)))
}).annotate({ identifier: "RepoTopicOptions" })

/** The endpoints of topics. */
export const topicEndpoints = endpoints("topics", "Topics of repositories, by which searches find them.", {
  "repository.topic.list": list(Schema.String, { field: "topics" }),
  "repository.topic.replace": done({ body: RepoTopicOptions }),
  "repository.topic.add": done(),
  "repository.topic.remove": remove(),
  "topic.search": list(TopicResponse, { field: "topics", query: { q: Schema.optionalKey(text(255)) } })
})
