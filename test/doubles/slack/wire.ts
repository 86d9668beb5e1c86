/** JSON, as the Slack double and its tests look at it. */
export {
  compact,
  copied,
  isJson,
  type Json,
  list,
  parse,
  record,
  records,
  str,
} from "../shared/wire.ts";
