/** Help texts of the metrics. */
export const metricsText = {
  openStreams: 'Open event streams: one per browser with an open page',
  failedAnalyses:
    'Executions whose last analysis failed, counted within the last minute; absent while the database is unavailable',
  requests: 'Requests by route, method and status',
  responseTime: 'Response time by route',
  bytesIngested: 'Bytes ingested, after decoding',
}
