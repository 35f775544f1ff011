import type { Topic } from "@slipway/domain/forge/code"
import { Topics } from "@slipway/forge/code"
import { topicEndpoints } from "../../../api/forge/code/topics.ts"
import { handle, mapRows } from "../entry/handle.ts"

const showTopic = ({ createdAt, id, name, repositories, updatedAt }: Topic) => ({
  id,
  topic_name: name,
  repo_count: repositories,
  created: createdAt,
  updated: updatedAt
})

/** The handlers of topics. */
export const layerTopics = handle(topicEndpoints, {
  "repository.topic.list": ({ page, proof }) => mapRows(Topics.list(proof, page), ({ name }) => name),
  "repository.topic.replace": ({ body, proof }) => Topics.replace(proof, body.topics ?? []),
  "repository.topic.add": ({ params, proof }) => Topics.add(proof, params.topic),
  "repository.topic.remove": ({ params, proof }) => Topics.remove(proof, params.topic),
  "topic.search": ({ page, proof, query }) => mapRows(Topics.search(proof, query.q ?? "", page), showTopic)
})
