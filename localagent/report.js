"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const bars = [...document.querySelectorAll(".bar")];
  const panel = document.getElementById("panel");
  const field = document.getElementById("find");
  const told = document.getElementById("told");
  const lower = data.texts.map((text) => text.toLowerCase());
  let current = 0;
  let wanted = "";
  let matching = [];

  // Texts become text nodes and nothing else.
  const make = (tag, kind, ...children) => {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    made.append(...children);
    return made;
  };
  const marked = (text) => {
    if (!wanted) return [text];
    const found = [];
    const small = text.toLowerCase();
    if (small.length !== text.length) return [text];
    let from = 0;
    for (let at = small.indexOf(wanted); at >= 0; at = small.indexOf(wanted, from)) {
      found.push(text.slice(from, at), make("mark", "", text.slice(at, at + wanted.length)));
      from = at + wanted.length;
    }
    return [...found, text.slice(from)];
  };
  const swatch = (name) => {
    const drawn = document.querySelector(`[data-swatch="${name}"]`);
    return drawn ? drawn.cloneNode(true) : "";
  };
  const row = (cells, tag = "td") => {
    const made = make("tr", "");
    cells.forEach(([text, kind]) => {
      const cell = make(tag, kind, ...(Array.isArray(text) ? text : [text]));
      if (tag === "th") cell.scope = "col";
      made.append(cell);
    });
    return made;
  };
  const table = (label, heads, rows) => {
    const made = make("table", "", make("caption", "hidden", label), make("thead", "", row(heads, "th")));
    made.append(make("tbody", "", ...rows));
    return make("div", "wide", made);
  };

  const facts = (turn) => {
    const list = make("dl", "facts");
    turn.facts.forEach(([name, value]) => list.append(make("dt", "", name), make("dd", "", value)));
    return list;
  };
  const blocks = (turn) => {
    const all = turn.blocks.reduce((sum, block) => sum + block[2], 0) || 1;
    return table("Tokens by block", [["block", ""], ["tokens", "number"], ["share", "number"]],
      turn.blocks.map(([name, words, tokens]) => row([
        [[swatch(name), " ", words], ""],
        [tokens.toLocaleString("en"), "number"],
        [`${Math.round((100 * tokens) / all)}%`, "number"],
      ])));
  };
  const recall = (turn) => {
    if (!turn.recall.length) return [];
    const heads = [["score", "number"], ["vector", "number"], ["keyword", "number"], ["retention", "number"],
      ["kind", ""], ["text and fate", "text"]];
    const rows = turn.recall.map(([used, fate, scores, kind, text, reason]) => {
      const why = data.texts[reason] || fate;
      const cell = [make("bdi", "", ...marked(data.texts[text])), make("span", "reason", ...marked(why))];
      const made = row([...scores.map((score) => [score, "number"]), [kind, "kind"], [cell, "text"]]);
      if (!used) made.className = "unused";
      return made;
    });
    const found = [make("h2", "", "What memory found"), table("What memory found", heads, rows)];
    if (turn.more) found.push(make("p", "soft", `and ${turn.more}`));
    return [make("section", "below", ...found)];
  };
  const prompt = (turn) => {
    const parts = turn.parts.map(([block, title, text]) => make("section", `part ${block}`,
      make("h3", "", title), make("pre", "", ...marked(data.texts[text]))));
    return make("section", "below", make("h2", "", "The prompt, as it was sent"), ...parts);
  };

  const show = (number) => {
    current = Math.min(Math.max(number, 1), data.turns.length);
    const turn = data.turns[current - 1];
    bars.forEach((bar, at) => {
      bar.setAttribute("tabindex", at === current - 1 ? "0" : "-1");
      if (at === current - 1) bar.setAttribute("aria-current", "true");
      else bar.removeAttribute("aria-current");
    });
    document.getElementById("turn").textContent = turn.title;
    document.getElementById("when").textContent = turn.when;
    document.getElementById("back").disabled = current === 1;
    document.getElementById("on").disabled = current === data.turns.length;
    const notes = turn.notes.length ? [make("ul", "lines", ...turn.notes.map((note) => make("li", "", note)))] : [];
    panel.replaceChildren(
      make("div", "split", facts(turn), blocks(turn)), ...notes, ...recall(turn), prompt(turn));
    panel.dataset.turn = String(current);
  };
  const go = (number, focus) => {
    show(number);
    const bar = bars[current - 1];
    bar.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (focus) bar.focus({ preventScroll: true });
    try {
      history.replaceState(null, "", `#t${current}`);
    } catch {
      // A page from the disk may not be allowed to name its place; it works without.
    }
  };

  const search = () => {
    wanted = field.value.trim().toLowerCase();
    const texts = new Set(wanted ? lower.flatMap((text, at) => (text.includes(wanted) ? [at] : [])) : []);
    matching = data.turns.flatMap((turn, at) => (
      turn.parts.some((part) => texts.has(part[2])) || turn.recall.some((one) => texts.has(one[4])) ? [at + 1] : []));
    bars.forEach((bar, at) => bar.classList.toggle("away", Boolean(wanted) && !matching.includes(at + 1)));
    told.textContent = wanted ? `in ${matching.length} of ${data.turns.length} prompts` : "";
    show(current);
  };

  bars.forEach((bar, at) => {
    bar.addEventListener("click", (event) => {
      event.preventDefault();
      go(at + 1, true);
    });
    bar.addEventListener("keydown", (event) => {
      const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 1, End: bars.length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      go(to, true);
    });
  });
  document.getElementById("back").addEventListener("click", () => go(current - 1, false));
  document.getElementById("on").addEventListener("click", () => go(current + 1, false));
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !matching.length) return;
    event.preventDefault();
    go(matching.find((number) => number > current) ?? matching[0], false);
  });
  const named = () => Number((/^#t(\d+)$/.exec(location.hash) || [])[1]);
  const unfold = () => {
    const fold = location.hash.startsWith("#c") && document.getElementById(location.hash.slice(1));
    if (fold) fold.open = true;
  };
  window.addEventListener("hashchange", () => {
    unfold();
    if (!named()) return;
    go(named(), false);
    document.getElementById("turn").scrollIntoView({ block: "center" });
  });
  unfold();
  show(named() || data.turns.length);
  if (!named()) bars[current - 1].scrollIntoView({ block: "nearest", inline: "nearest" });
})();
