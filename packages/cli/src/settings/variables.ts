/**
 * The names of the environment variables that settings come from.
 */

/** Where the service is. */
export const baseUrlVariable = "CHEMSTREAM_BASE_URL"

/** The API key. */
export const apiKeyVariable = "CHEMSTREAM_API_KEY"

/** Which dialect the service has. */
export const dialectVariable = "CHEMSTREAM_DIALECT"

/** Which database harvests are in. */
export const databaseVariable = "CHEMSTREAM_HARVESTS"

/** The bearer token of `chemstream mcp --http`. */
export const mcpTokenVariable = "CHEMSTREAM_MCP_TOKEN"
