import { configIn, type IssueConfig, type IssueTemplate, readTemplate } from "@slipway/domain/forge/issue-templates"
import { answerEach } from "@slipway/threads/thread"

/** What the thread is asked: the template that a file holds, or how issues are opened where no file is named. */
export interface IssueQuestion {
  readonly file?: string
  readonly text: string
}

answerEach(({ file, text }: IssueQuestion): IssueTemplate | IssueConfig | undefined =>
  file === undefined ? configIn(text) : readTemplate(file, text)
)
