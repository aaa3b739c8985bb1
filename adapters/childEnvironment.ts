/** What a program that we run needs of this process's environment; the rest holds secrets that are none of its business. */
const inherited =
  /^(?:PATH|HOME|USER|TMPDIR|LANG|LC_\w+|LD_LIBRARY_PATH|HF_\w+|XDG_\w+|https?_proxy|all_proxy|no_proxy|SSL_CERT_\w+|REQUESTS_CA_BUNDLE)$/i;

export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => inherited.test(name)));
}
