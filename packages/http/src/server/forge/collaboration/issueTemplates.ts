import type { IssueTemplate } from "@slipway/domain/forge/collaboration"
import { IssueTemplates } from "@slipway/forge/collaboration"
import { Effect } from "effect"
import { issueTemplateEndpoints } from "../../../api/forge/collaboration/issues.ts"
import { handle } from "../entry/handle.ts"

const showTemplate = ({ file, ...template }: IssueTemplate) => ({ ...template, file_name: file })

/** The handlers of the templates and settings of issues. */
export const layerIssueTemplates = handle(issueTemplateEndpoints, {
  "repository.issue-template.list": ({ proof }) =>
    Effect.map(IssueTemplates.list(proof), (templates) => templates.map(showTemplate)),
  "repository.issue-config.read": ({ proof }) =>
    Effect.map(IssueTemplates.config(proof), ({ blankIssues, contactLinks }) => ({
      blank_issues_enabled: blankIssues,
      contact_links: contactLinks
    })),
  "repository.issue-config.validate": ({ proof }) => IssueTemplates.validate(proof)
})
