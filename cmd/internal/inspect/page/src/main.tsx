import { render } from "preact";
import { App } from "./app";
import { Embed, Server, type Data } from "./data";
import "uplot/dist/uPlot.min.css";
import "./style.css";

/**
 * The token stands after the # of the address that pactkit prints, where no server and no other page can read it. It is
 * kept for this tab and taken out of the address, so that links can be passed on.
 */
function token(): string {
  const q = new URLSearchParams(location.hash.slice(1));
  const given = q.get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    q.delete("token");
    history.replaceState(null, "", "#" + q.toString());
  }
  return given ?? sessionStorage.getItem("token") ?? "";
}

const data: Data = document.getElementById("data") ? new Embed() : new Server(token());
render(<App data={data} />, document.getElementById("app")!);
