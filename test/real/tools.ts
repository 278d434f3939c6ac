import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/** One assistant as its maker publishes it, and how it is run without a person and without its maker's servers. */
export interface Tool {
  /** As written after `--tools`. */
  name: string
  package: string
  version: string
  bin: string
  /** The id of the source that reads its chats. */
  source: string
  /** Its own name for the tool that runs a shell command, and what that one takes. */
  shell(command: string): { tool: string; args: unknown }
  /** Files that must be in the home folder before it starts, by path below it. */
  settings?(modelUrl: string): Record<string, string>
  env(modelUrl: string): Record<string, string>
  args(prompt: string): string[]
}

export const tools: Tool[] = [
  {
    name: 'copilot',
    package: '@github/copilot',
    version: '1.0.102',
    bin: 'copilot',
    source: 'copilot-cli',
    shell: (command) => ({ tool: 'bash', args: { command, description: 'Show the notes' } }),
    env: (modelUrl) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'gpt-4.1',
    }),
    args: (prompt) => ['-p', prompt, '--allow-all-tools', '--no-auto-update'],
  },
  {
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    bin: 'claude',
    source: 'claude-code',
    shell: (command) => ({ tool: 'Bash', args: { command, description: 'Show the notes' } }),
    env: (modelUrl) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }),
    args: (prompt) => ['-p', prompt, '--allowedTools', 'Bash', '--output-format', 'json'],
  },
  {
    name: 'codex',
    package: '@openai/codex',
    version: '0.166.0',
    bin: 'codex',
    source: 'codex',
    shell: (cmd) => ({ tool: 'exec_command', args: { cmd } }),
    settings: (modelUrl) => ({
      '.codex/config.toml': `
        model = "gpt-5.5"
        model_provider = "scripted"
        check_for_update_on_startup = false
        [model_providers.scripted]
        name = "Scripted model"
        base_url = "${modelUrl}/v1"
        wire_api = "responses"
        env_key = "SCRIPTED_KEY"
        request_max_retries = 0
        [analytics]
        enabled = false
      `,
    }),
    env: () => ({ SCRIPTED_KEY: 'none' }),
    args: (prompt) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json'],
      prompt,
    ],
  },
  {
    name: 'gemini',
    package: '@google/gemini-cli',
    version: '0.61.0',
    bin: 'gemini',
    source: 'gemini-cli',
    shell: (command) => ({ tool: 'run_shell_command', args: { command, description: 'Show the notes' } }),
    settings: () => ({
      '.gemini/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
      }),
    }),
    env: (modelUrl) => ({
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    args: (prompt) => ['-m', 'gemini-2.5-flash', '--yolo', '--output-format', 'json', '-p', prompt],
  },
  {
    name: 'opencode',
    package: 'opencode-ai',
    version: '1.18.33',
    bin: 'opencode',
    source: 'opencode',
    shell: (command) => ({ tool: 'bash', args: { command, description: 'Show the notes' } }),
    settings: (modelUrl) => ({
      '.config/opencode/opencode.json': JSON.stringify(opencodeSettings(modelUrl)),
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    // An argument with spaces in it would be stored with quotes around it.
    args: (prompt) => ['run', ...prompt.split(' ')],
  },
  {
    name: 'qwen',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    bin: 'qwen',
    source: 'qwen-code',
    shell: (command) => ({
      tool: 'run_shell_command',
      args: { command, is_background: false, description: 'Show the notes' },
    }),
    settings: () => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true, enableAutoUpdate: false },
      }),
    }),
    env: (modelUrl) => ({
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'gpt-4.1',
    }),
    args: (prompt) => ['--yolo', prompt],
  },
  {
    name: 'kilo',
    package: '@kilocode/cli',
    version: '7.7.7',
    bin: 'kilo',
    source: 'kilo',
    shell: (command) => ({ tool: 'bash', args: { command, description: 'Show the notes' } }),
    settings: (modelUrl) => ({ '.config/kilo/opencode.json': JSON.stringify(opencodeSettings(modelUrl)) }),
    env: () => ({ KILO_DISABLE_AUTOUPDATE: '1', KILO_TELEMETRY_LEVEL: 'off' }),
    args: (prompt) => ['run', ...prompt.split(' ')],
  },
  {
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    bin: 'pi',
    source: 'pi',
    shell: (command) => ({ tool: 'bash', args: { command } }),
    settings: (modelUrl) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${modelUrl}/v1`,
            apiKey: 'none',
            api: 'openai-completions',
            models: [{ id: 'small', name: 'Small' }],
          },
        },
      }),
    }),
    env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    args: (prompt) => ['--provider', 'scripted', '--model', 'small', '-p', prompt],
  },
  {
    name: 'openclaw',
    package: 'openclaw',
    version: '2026.9.6',
    bin: 'openclaw',
    source: 'openclaw',
    shell: (command) => ({ tool: 'exec', args: { command } }),
    settings: (modelUrl) => ({
      '.openclaw/openclaw.json': JSON.stringify({
        models: {
          mode: 'merge',
          providers: {
            scripted: {
              baseUrl: `${modelUrl}/v1`,
              apiKey: 'none',
              api: 'openai-completions',
              models: [{ id: 'small', name: 'Small', contextWindow: 128_000, maxTokens: 8_000 }],
            },
          },
        },
        // It works in a folder of its own, not where it is started.
        agents: { defaults: { model: { primary: 'scripted/small' }, workspace: '~/projects/openclaw' } },
      }),
    }),
    env: () => ({}),
    args: (prompt) => ['agent', '--local', '--agent', 'main', '--message', prompt],
  },
  {
    name: 'kimi',
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    bin: 'kimi',
    source: 'kimi-code',
    shell: (command) => ({ tool: 'Bash', args: { command } }),
    settings: (modelUrl) => ({
      '.kimi-code/config.toml': `
        default_model = "small"
        telemetry = false
        [providers.scripted]
        type = "openai"
        base_url = "${modelUrl}/v1"
        api_key = "none"
        [models.small]
        provider = "scripted"
        model = "gpt-4.1"
        max_context_size = 128000
      `,
    }),
    env: () => ({}),
    args: (prompt) => ['-p', prompt],
  },
  {
    name: 'grok',
    package: '@xai-official/grok',
    version: '1.0.41',
    bin: 'grok',
    source: 'grok-build',
    shell: (command) => ({ tool: 'run_terminal_command', args: { command, description: 'Show the notes' } }),
    settings: (modelUrl) => ({
      '.grok/config.toml': `
        [models]
        default = "small"
        [model.small]
        model = "gpt-4.1"
        base_url = "${modelUrl}/v1"
        name = "Small"
        env_key = "SCRIPTED_KEY"
        context_window = 128000
        [features]
        telemetry = false
      `,
    }),
    env: () => ({ SCRIPTED_KEY: 'none', GROK_DISABLE_AUTOUPDATER: '1' }),
    args: (prompt) => ['-p', prompt, '-m', 'small', '--always-approve', '--disable-web-search'],
  },
]

/** Of opencode and of Kilo, which is made of it. */
function opencodeSettings(modelUrl: string) {
  return {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/small',
    permission: { '*': 'allow' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted model',
        options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
        models: { small: { name: 'Small', tool_call: true, limit: { context: 128000, output: 8000 } } },
      },
    },
  }
}

/** Where a version of a tool is kept between runs. */
export function folderOf(tool: Tool, cache: string): string {
  return path.join(cache, `${tool.name}-${tool.version}`)
}

export function isInstalled(tool: Tool, cache: string): boolean {
  const manifest = path.join(folderOf(tool, cache), 'node_modules', tool.package, 'package.json')
  return fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, 'utf8')).version === tool.version
}

export function binOf(tool: Tool, cache: string): string {
  const name = process.platform === 'win32' ? `${tool.bin}.cmd` : tool.bin
  return path.join(folderOf(tool, cache), 'node_modules', '.bin', name)
}

/** Where the assistants are installed. */
export const cache = process.env.RECOLLECT_REAL_TOOLS ?? path.join(os.tmpdir(), 'recollect-real-tools')

/** Tries each client whose assistant is named on the command line (or every one), and says how it went. */
export async function tryAll<C extends { tool: string; way?: string }>(
  clients: C[],
  outcomeOf: (client: C, tool: Tool) => Promise<string[]>,
): Promise<number> {
  const { values } = parseArgs({ options: { tools: { type: 'string' } } })
  const named = values.tools?.split(',') ?? clients.map(({ tool }) => tool)
  let failed = 0
  for (const client of clients.filter(({ tool }) => named.includes(tool))) {
    const tool = tools.find(({ name }) => name === client.tool)!
    const wrong = isInstalled(tool, cache)
      ? await outcomeOf(client, tool)
      : [`not installed; \`node test/real/run.ts --tools ${tool.name}\` does that`]
    const way = client.way ? `, ${client.way}` : ''
    console.log(`${tool.name} ${tool.version}${way}: ${wrong.length === 0 ? 'ok' : wrong.join('; ')}`)
    if (wrong.length > 0) failed++
  }
  return failed === 0 ? 0 : 1
}
