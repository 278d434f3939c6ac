import assert from 'node:assert/strict'
import * as vscode from 'vscode'
import { recollect, run, textOf } from './recollect.ts'
import { until } from './until.ts'

suite('the MCP server', () => {
  const offered = async (isOffered: boolean | undefined) =>
    await vscode.workspace
      .getConfiguration('recollect')
      .update('mcpServer', isOffered, vscode.ConfigurationTarget.Global)
  suiteTeardown(() => offered(undefined))

  test('is offered where that is wanted, and its tools can be used', async () => {
    await recollect().activate()
    await offered(true)
    const tool = await until('its tools', async () => {
      // There is none to start before VS Code has asked the extension for it.
      await run('workbench.mcp.startServer', '*', { waitForLiveTools: true })
      return vscode.lm.tools.find(({ name }) => /^mcp_.*search_conversations$/.test(name))
    })
    const options = { input: { query: 'deadlock' }, toolInvocationToken: undefined }
    const answer = JSON.parse(textOf(await vscode.lm.invokeTool(tool.name, options)))
    assert.ok(answer.results.length > 0)
  })
})
