/** Calls in the player's language to a server that may be older than this page, and know fewer languages. */
import { Reason } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";
import { BASE } from "./text/languages";

/** Returns the answer to a request: to the same in English where its language is refused. Raises Refused. */
export async function inKnownLanguage<Request, Answer>(
  request: Request & { language?: string | undefined },
  call: (request: Request & { language?: string | undefined }) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(request);
  } catch (error) {
    if (refusalOf(error).reason !== Reason.MALFORMED || request.language === BASE) throw error;
    return call({ ...request, language: BASE });
  }
}
