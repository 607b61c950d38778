# Does the job like a public client for R: sequential batches of 200 through httr. jsonlite parses each into a table, which
# is bound to the earlier ones. `Rscript tables.R URL FILE > out.ndjson`
suppressPackageStartupMessages({
  library(httr)
  library(jsonlite)
  library(data.table)
})

arguments <- commandArgs(trailingOnly = TRUE)
ids <- readLines(arguments[2])
size <- 200

records <- data.table()
for (start in seq(1, length(ids), by = size)) {
  batch <- ids[start:min(start + size - 1, length(ids))]
  response <- POST(
    paste0(arguments[1], "/chemical/detail/search/by-dtxsid/"),
    add_headers("x-api-key" = "benchmark", "content-type" = "application/json", accept = "application/json"),
    body = toJSON(batch)
  )
  stop_for_status(response)
  table <- fromJSON(content(response, as = "text", encoding = "UTF-8"))
  records <- rbindlist(list(records, as.data.table(table)), fill = TRUE)
}

stream_out(records, stdout(), verbose = FALSE)
