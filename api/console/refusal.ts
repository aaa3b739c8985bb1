/** A refusal that only the console knows: a page says why. */
export class ConsoleRefusal extends Error {
  override readonly name = "ConsoleRefusal";
  readonly status: 401 | 403;
  constructor(status: 401 | 403, message: string) {
    super(message);
    this.status = status;
  }
}
