"""Whether a call of a tool may run: allowed, denied, or for a person to decide.

What only reads is allowed; so is a tool that was named for this run (`--allow-tool`). What writes, runs code or uses
the network is asked about, and so is a tool that does not say what it does.

A deny wins over everything: nobody is asked then, and no earlier "always" counts. This is the place for rules of your
own, by tool, by path, by address. A list of forbidden commands is no protection: a shell has countless ways to say the
same thing.
"""

from __future__ import annotations

from localagent.calls import ApprovalRequest, Decision


def approval(request: ApprovalRequest) -> Decision:
    """For a call whose arguments were checked. Paths outside of the allowed folders are refused by the tools."""
    if request.named:
        return Decision("allow", "allowed by name for this run")
    if request.effects == {"reads"}:
        return Decision("allow", "it only reads")
    does = ", ".join(_WORDS.get(effect, effect) for effect in sorted(request.effects - {"reads"}))
    return Decision("ask", f"it {does}" if does else "it does not say what it does")


_WORDS = {"network": "uses the network"}
