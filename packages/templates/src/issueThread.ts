import { configIn, type IssueConfig, type IssueTemplate, readTemplate } from "@slipway/domain/forge/issue-templates"
import { answerEach } from "@slipway/threads/thread"

/**
 * A request to the worker thread: parse an issue template. If the file name is missing, parse the issue configuration.
 */
export interface IssueQuestion {
  readonly file?: string
  readonly text: string
}

answerEach(({ file, text }: IssueQuestion): IssueTemplate | IssueConfig | undefined =>
  file === undefined ? configIn(text) : readTemplate(file, text)
)
