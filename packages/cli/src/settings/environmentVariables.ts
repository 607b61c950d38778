/**
 * The environment variables of the settings, and the base URL without them.
 */

/** The default port of `chemstream serve`, and of the base URL of all other commands. */
export const defaultPort = 8765

/** The URL of `chemstream serve` on this machine. */
export const defaultBaseUrl = `http://127.0.0.1:${defaultPort}`

/** The base URL of the service. */
export const baseUrlVariable = "CHEMSTREAM_BASE_URL"

export const apiKeyVariable = "CHEMSTREAM_API_KEY"

/** The dialect of the service. */
export const dialectVariable = "CHEMSTREAM_DIALECT"

/** The database of harvests. */
export const databaseVariable = "CHEMSTREAM_HARVESTS"

/** The keys that `chemstream serve` accepts, separated by commas. */
export const apiKeysVariable = "CHEMSTREAM_API_KEYS"

/** The bearer token of `chemstream mcp --http`. */
export const mcpTokenVariable = "CHEMSTREAM_MCP_TOKEN"
